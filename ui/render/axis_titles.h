#pragma once

#include "ui/render/painter.h"
#include "ui/render/typeface.h"

namespace headlight {

/// Returns where the titles of axes may reach: between the title of the figure and its caption.
QRectF room_of_axis_titles(const FigureLayout& layout);

/// Returns where a title of rows in that band ends at the latest: above the colour bar that it would run
/// into, as neighbours have one that is as wide as all of them; else where the figure ends.
double top_of_bars_below(const FigureLayout& layout, const QRectF& band);

/// Where the titles of one panel's axes may reach without touching those of its neighbours, which are `gap`
/// away.
struct AxisTitleRoom {
    QRectF rows, columns;
};
AxisTitleRoom room_of_panel_titles(const Figure& figure, const FigureLayout& layout, const PanelLayout& place,
                                   double gap);

/// The title of an axis as it is drawn in the middle of its band; that of rows reads upwards. Where it would
/// reach out of `room`, what it explains in brackets is left out, "key" of "key (what is looked at)", unless
/// a person wrote it.
QString title_in_room(const AxisLabels& axis, const QRectF& band, const QRectF& room, bool upwards,
                      const TextMeasure& text);

}  // namespace headlight
