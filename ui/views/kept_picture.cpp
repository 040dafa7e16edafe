#include "ui/views/kept_picture.h"

#include <QPainter>
#include <QWidget>

namespace headlight {

void KeptPicture::forget(const QWidget& widget) {
    is_painted_ = false;
    if (!widget.isVisible()) {
        pixels_ = QPixmap();
        cells_ = {};
    }
}

void KeptPicture::draw(QPainter& painter, const QWidget& widget, const Figure& figure,
                       const FigureLayout& layout, double unit) {
    const qreal ratio = widget.devicePixelRatioF();
    const QSize size = (QSizeF(widget.size()) * ratio).toSize();
    if (pixels_.size() != size || pixels_.devicePixelRatio() != ratio) {
        pixels_ = QPixmap(size);
        pixels_.setDevicePixelRatio(ratio);
        is_painted_ = false;
    }
    if (!is_painted_) {
        pixels_.fill(widget.palette().color(QPalette::Base));
        QPainter onto(&pixels_);
        onto.setRenderHint(QPainter::Antialiasing);
        paint_figure(onto, figure, layout, unit, {.memory = &cells_});
        is_painted_ = true;
    }
    painter.drawPixmap(QPointF(0, 0), pixels_);
}

}  // namespace headlight
