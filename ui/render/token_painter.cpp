#include "ui/render/token_painter.h"

namespace headlight {

TokenPainter::TokenPainter(const PaintContext& context, double size)
    : context_(context), size_(size), regular_(size, Face::regular), bold_(size, Face::bold),
      italic_(size, Face::italic) {}

void TokenPainter::draw(const AxisLabels& axis, Index at, const Place& place, bool strong,
                        const QColor& colour) const {
    const bool marked = is_marked(axis, at);
    const Face face = strong ? Face::bold : marked ? Face::italic : Face::regular;
    const TextMeasure& text = strong ? bold_ : marked ? italic_ : regular_;
    QString label = label_text(axis, at);
    double width = text.width(label);
    if (width > place.most_width * 1.001) {
        label = text.elided(label, place.most_width);
        width = text.width(label);
    }
    QPainter& painter = context_.painter;
    const QTransform before = painter.worldTransform();
    painter.translate(place.point);
    if (place.angle != 0)
        painter.rotate(-place.angle);
    const double share = place.anchor == Anchor::start ? 0 : place.anchor == Anchor::middle ? 0.5 : 1;
    const QPointF origin(-share * width, regular_.middle_to_baseline());
    context_.set_type(size_, face, colour, label);
    painter.drawText(origin, label);
    if (marked) {
        QPen dots(colour, 0.09 * size_, Qt::CustomDashLine, Qt::RoundCap);
        dots.setDashPattern({0.01, 2});
        painter.setPen(dots);
        const double below = origin.y() + 0.22 * size_;
        painter.drawLine(QPointF(origin.x(), below), QPointF(origin.x() + width, below));
    }
    painter.setWorldTransform(before);
}

}  // namespace headlight
