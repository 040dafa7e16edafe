#include "ui/render/picture_image.h"

#include <QPainter>

namespace headlight {
namespace {

constexpr int example_width = 256, example_height = 192;
constexpr double horizon = 122;

void paint_sky(QPainter& painter) {
    QLinearGradient sky(0, 0, 0, horizon);
    sky.setColorAt(0, QColor("#3f86d8"));
    sky.setColorAt(1, QColor("#bfe0f7"));
    painter.fillRect(QRectF(0, 0, example_width, horizon), sky);
    painter.setBrush(QColor("#ffd43a"));
    painter.drawEllipse(QPointF(212, 36), 19, 19);
    painter.setBrush(QColor(255, 255, 255, 235));
    for (const QRectF& puff : {QRectF(44, 24, 38, 18), QRectF(62, 15, 34, 24), QRectF(80, 25, 36, 17)})
        painter.drawEllipse(puff);
}

void paint_meadow(QPainter& painter) {
    QLinearGradient meadow(0, horizon, 0, example_height);
    meadow.setColorAt(0, QColor("#8cc152"));
    meadow.setColorAt(1, QColor("#4e8c2f"));
    painter.fillRect(QRectF(0, horizon, example_width, example_height - horizon), meadow);
    painter.setBrush(QColor("#d9c08d"));
    painter.drawPolygon(QPolygonF({{124, 146}, {140, 146}, {176, example_height}, {120, example_height}}));
}

void paint_house(QPainter& painter) {
    painter.setBrush(QColor("#f3e6cf"));
    painter.drawRect(QRectF(94, 92, 76, 56));
    painter.setBrush(QColor("#b5382c"));
    painter.drawPolygon(QPolygonF({{84, 94}, {132, 54}, {180, 94}}));
    painter.setBrush(QColor("#6b4226"));
    painter.drawRect(QRectF(124, 116, 17, 32));
    painter.setBrush(QColor("#8fb8d8"));
    painter.drawRect(QRectF(103, 106, 14, 14));
    painter.drawRect(QRectF(148, 106, 14, 14));
}

void paint_tree(QPainter& painter, QPointF foot, double size) {
    painter.setBrush(QColor("#6b4226"));
    painter.drawRect(QRectF(foot.x() - 0.07 * size, foot.y() - 0.5 * size, 0.14 * size, 0.5 * size));
    painter.setBrush(QColor("#2f6b2a"));
    for (const QPointF& leaf : {QPointF(-0.2, -0.62), QPointF(0.2, -0.62), QPointF(0, -0.85)})
        painter.drawEllipse(foot + size * leaf, 0.27 * size, 0.25 * size);
}

}  // namespace

Picture example_picture() {
    QImage image(example_width, example_height, QImage::Format_RGB32);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    paint_sky(painter);
    paint_meadow(painter);
    paint_house(painter);
    paint_tree(painter, {40, 156}, 72);
    paint_tree(painter, {218, 150}, 60);
    painter.end();
    return to_picture(image);
}

}  // namespace headlight
