#include "ui/views/kept_picture.h"

#include <QPainter>
#include <QWidget>

namespace headlight {

void KeptPicture::forget(const QWidget& widget) {
    state_ = State::out_of_date;
    if (!widget.isVisible()) {
        pixels_ = QPixmap();
        cells_ = {};
    }
}

void KeptPicture::draw(QPainter& painter, const QWidget& widget, const Figure& figure,
                       const FigureLayout& layout, double unit) {
    const qreal ratio = widget.devicePixelRatioF();
    const QSize size = (QSizeF(widget.size()) * ratio).toSize();
    const bool has_changed = size != size_ || ratio != ratio_;
    const auto paint = [&](QPainter& onto) {
        onto.setRenderHint(QPainter::Antialiasing);
        paint_figure(onto, figure, layout, unit, {.memory = &cells_});
    };
    if (state_ == State::out_of_date || has_changed) {
        painter.save();
        painter.fillRect(widget.rect(), widget.palette().color(QPalette::Base));
        paint(painter);
        painter.restore();
        size_ = size;
        ratio_ = ratio;
        state_ = State::shown;
        return;
    }
    if (state_ == State::shown) {
        if (pixels_.size() != size)
            pixels_ = QPixmap(size);
        pixels_.setDevicePixelRatio(ratio);
        pixels_.fill(widget.palette().color(QPalette::Base));
        QPainter onto(&pixels_);
        paint(onto);
        state_ = State::kept;
    }
    painter.drawPixmap(QPointF(0, 0), pixels_);
}

}  // namespace headlight
