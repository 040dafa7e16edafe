#include "ui/render/axis_titles.h"

#include "ui/render/label_plan.h"

#include <algorithm>

namespace headlight {

QRectF room_of_axis_titles(const FigureLayout& layout) {
    QRectF room = layout.area;
    for (const QRectF& above : {layout.title, layout.subtitle})
        if (!above.isEmpty())
            room.setTop(std::max(room.top(), above.bottom()));
    if (!layout.caption.isEmpty())
        room.setBottom(layout.caption.top());
    return room;
}

double top_of_bars_below(const FigureLayout& layout, const QRectF& band) {
    double top = layout.area.bottom();
    for (const PanelLayout& each : layout.panels) {
        const QRectF& bar = each.colour_bar;
        const bool is_below = !bar.isEmpty() && bar.top() >= band.center().y();
        if (is_below && bar.left() < band.right() && bar.right() > band.left())
            top = std::min(top, bar.top());
    }
    return top;
}

AxisTitleRoom room_of_panel_titles(const Figure& figure, const FigureLayout& layout, const PanelLayout& place,
                                   double gap) {
    const QRectF all = room_of_axis_titles(layout);
    // Beside others it ends before their gap, alone with the figure.
    const bool is_alone = figure.panels.size() == 1;
    const double half = 0.5 * gap;
    const QRectF own = (place.frame | place.column_title).adjusted(-half, 0, half, 0);
    // Above and below there may be others too.
    const bool is_in_rows = std::ssize(figure.panels) > figure.columns;
    const QRectF level(all.left(), place.title.bottom(), all.width(),
                       place.frame.bottom() + half - place.title.bottom());
    QRectF rows = is_in_rows ? level & all : all;
    rows.setBottom(std::min(rows.bottom(), top_of_bars_below(layout, place.row_title)));
    return {rows, is_alone ? all : own & all};
}

QString title_in_room(const AxisLabels& axis, const QRectF& band, const QRectF& room, bool upwards,
                      const TextMeasure& text) {
    const QString whole = QString::fromStdString(axis.title);
    const double half = 0.5 * text.width(whole);
    const QPointF middle = band.center();
    const bool fits = upwards ? middle.y() - half >= room.top() && middle.y() + half <= room.bottom()
                              : middle.x() - half >= room.left() && middle.x() + half <= room.right();
    return fits ? whole : short_axis_title(axis);
}

}  // namespace headlight
