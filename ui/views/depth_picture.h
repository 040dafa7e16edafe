#pragma once

#include "core/figure/figure.h"
#include "core/workbench/depth.h"
#include "core/workbench/run_session.h"

#include <QFont>
#include <QImage>
#include <QPalette>
#include <QRectF>
#include <QString>

#include <memory>

namespace headlight {

class ShownFigure;

/// The picture of a stop, and what of it becomes the picture of the next nearer one: as a share of it, from 0
/// to 1.
struct DepthPicture {
    QImage pixels;
    QRectF part;
};

/// All that painting one takes, so that it can be done off the UI thread where nothing else is said.
struct DepthOrder {
    DepthStop stop = DepthStop::model;
    std::shared_ptr<const Run> run;
    std::shared_ptr<const Figure> figure;  ///< null at stops that are words, and where there is no picture
    ViewState view;                        ///< at the stop
    ColourRange range;
    QSize size;        ///< in units of the widget
    double ratio = 1;  ///< pixels to such a unit
    double unit = 1;   ///< such units to a typographic point
    QPalette palette;
    QFont font;
};

/// The picture of a view; an empty page where it cannot be drawn. Never throws.
DepthPicture paint_depth_picture(const DepthOrder& order);

/// What a page of words says, as rich text; why it says nothing, where it cannot. Never throws.
QString depth_words(const DepthOrder& order);
/// The page with these words: on the UI thread, since texts are laid out with timers.
DepthPicture paint_depth_words(const DepthOrder& order, const QString& words);

/// The part of `shown`, whose view is that of `here`, that the way in leads into: the part of a map that is
/// in view, the matrix of the head or the stage that is selected, the selected cell. In units of the layout.
QRectF way_into(const ShownFigure& shown, const Trace& trace, const ViewState& here);

/// `part` of an area that begins at its upper left corner, as a share of it; the middle where it is empty.
QRectF share_of_area(const QRectF& part, const QSizeF& area);

}  // namespace headlight
