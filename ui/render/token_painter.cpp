#include "ui/render/token_painter.h"

#include "core/text/writing.h"

namespace headlight {

TokenPainter::TokenPainter(const PaintContext& context, double size)
    : context_(context), size_(size), regular_(size, Face::regular, context.style.family),
      bold_(size, Face::bold, context.style.family), italic_(size, Face::italic, context.style.family) {}

void TokenPainter::draw(const AxisLabels& axis, Index at, const Place& place, bool strong,
                        const QColor& colour) {
    if (is_hidden(axis, at))
        return;
    const bool marked = is_marked(axis, at);
    const Face face = strong ? Face::bold : marked ? Face::italic : Face::regular;
    const TextMeasure& text = strong ? bold_ : marked ? italic_ : regular_;
    QString label = label_text(axis, at);
    double width = text.width(label);
    if (width > place.most_width * 1.001) {
        label = text.elided(label, place.most_width);
        width = text.width(label);
    }
    choose_font(face, label);
    if (place.angle != 0 && is_of_emoji(label.toStdString())) {  // upright, where the turned text would begin
        const QPointF left = place.point - QPointF(0.5 * width, regular_.descent());
        draw_text({left, label, 0.5}, width, marked, colour);
        return;
    }
    const double share = place.anchor == Anchor::start ? 0 : place.anchor == Anchor::middle ? 0.5 : 1;
    const QPointF origin(-share * width, regular_.middle_to_baseline());
    if (place.angle == 0) {
        draw_text({place.point + origin, label, share}, width, marked, colour);
        return;
    }
    QPainter& painter = context_.painter;
    const QTransform before = painter.worldTransform();
    painter.translate(place.point);
    painter.rotate(-place.angle);
    draw_text({origin, label, share}, width, marked, colour);
    painter.setWorldTransform(before);
}

/// A painter that is given a font looks up its engine again, so it is given one only when the face changes.
void TokenPainter::choose_font(Face face, const QString& label) {
    const bool own = has_own_font(face, label);
    if (face_ == face && !own)
        return;
    context_.painter.setFont(figure_font(size_, face, label, context_.style.family));
    face_ = own ? std::nullopt : std::optional(face);
}

void TokenPainter::draw_text(const PlacedText& placed, double width, bool marked, const QColor& colour) {
    QPainter& painter = context_.painter;
    painter.setPen(colour);
    context_.draw_text(placed);
    if (!marked)
        return;
    QPen dots(colour, 0.09 * size_, Qt::CustomDashLine, Qt::RoundCap);
    dots.setDashPattern({0.01, 2});
    painter.setPen(dots);
    const QPointF below = placed.baseline + QPointF(0, 0.22 * size_);
    painter.drawLine(below, below + QPointF(width, 0));
}

}  // namespace headlight
