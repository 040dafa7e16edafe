#pragma once

#include "ui/render/paint_context.h"

#include <QPixmap>

class QPainter;
class QWidget;

namespace headlight {

/// What fills a widget: painted at once where it has changed, as with each step of a zoom, and kept from the
/// second time on that the same is wanted. Its memory is used again: a picture of a screen's size that is new
/// for every frame takes longer to get than to fill.
class KeptPicture {
public:
    /// It is out of date; of a widget that nobody sees it is given back.
    void forget(const QWidget& widget);
    void draw(QPainter& painter, const QWidget& widget, const Figure& figure, const FigureLayout& layout,
              double unit);

private:
    enum class State { out_of_date, shown, kept };

    QPixmap pixels_;
    CellMemory cells_;
    State state_ = State::out_of_date;
    QSize size_;  ///< in pixels, of what is shown or kept
    qreal ratio_ = 1;
};

}  // namespace headlight
