#pragma once

#include "ui/render/paint_context.h"

#include <QPixmap>

class QPainter;
class QWidget;

namespace headlight {

/// What fills a widget, painted once and drawn from then on. Its memory is used again: a picture of a
/// screen's size that is new for every frame takes longer to get than to fill.
class KeptPicture {
public:
    /// It is out of date; of a widget that nobody sees it is given back.
    void forget(const QWidget& widget);
    /// Paints the figure first where it is out of date, or was made for another size or density.
    void draw(QPainter& painter, const QWidget& widget, const Figure& figure, const FigureLayout& layout,
              double unit);

private:
    QPixmap pixels_;
    CellMemory cells_;
    bool is_painted_ = false;
};

}  // namespace headlight
