#pragma once

#include "ui/render/paint_context.h"

#include <QPixmap>

class QPainter;
class QWidget;

namespace headlight {

/// What fills a widget, kept for as long as the same is wanted. Its memory is used again: a picture of a
/// screen's size that is new for every frame takes longer to get than to fill.
class KeptPicture {
public:
    enum class Keep {
        at_the_second_look,  ///< what changes often, as with each step of a zoom, is painted straight away
        at_the_first_look    ///< what takes long to paint, under marks that move
    };

    explicit KeptPicture(Keep keep = Keep::at_the_second_look) : keep_(keep) {}

    /// It is out of date; of a widget that nobody sees it is given back.
    void forget(const QWidget& widget);
    /// The layout's area is that of the widget.
    void draw(QPainter& painter, const QWidget& widget, const Figure& figure, const FittedLayout& fitted);

private:
    enum class State { out_of_date, shown, kept };

    Keep keep_;
    QPixmap pixels_;
    CellMemory cells_;
    State state_ = State::out_of_date;
    QSize size_;  ///< in pixels, of what is shown or kept
    qreal ratio_ = 1;
};

}  // namespace headlight
