#include "ui/views/kept_picture.h"

#include <QPainter>
#include <QWidget>

#include <cmath>

namespace headlight {

namespace {

/// With a scale such as 1.5 a widget may begin between two pixels, and letters may lie between two places:
/// what is painted onto it would lie up to half a pixel beside what is kept of it.
bool lies_on_pixels(const QPainter& painter) {
    const auto is_whole = [](qreal number) {
        return qFuzzyCompare(1 + std::abs(number - std::round(number)), 1);
    };
    const QTransform& place = painter.deviceTransform();
    return is_whole(place.m11()) && is_whole(place.dx()) && is_whole(place.dy());
}

}  // namespace

void KeptPicture::forget(const QWidget& widget) {
    state_ = State::out_of_date;
    if (!widget.isVisible()) {
        pixels_ = QPixmap();
        cells_ = {};
    }
}

void KeptPicture::draw(QPainter& painter, const QWidget& widget, const Figure& figure,
                       const FittedLayout& fitted) {
    const qreal ratio = widget.devicePixelRatioF();
    const QSize size = (QSizeF(widget.size()) * ratio).toSize();
    const auto paint = [&](QPainter& onto) {
        onto.setRenderHint(QPainter::Antialiasing);
        paint_figure(onto, figure, fitted.layout, fitted.unit, {.memory = &cells_});
    };
    if (size != size_ || ratio != ratio_)
        state_ = State::out_of_date;
    size_ = size;
    ratio_ = ratio;
    if (keep_ == Keep::at_the_second_look && state_ == State::out_of_date && lies_on_pixels(painter)) {
        painter.save();
        paint(painter);
        painter.restore();
        state_ = State::shown;
        return;
    }
    if (state_ != State::kept) {
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
