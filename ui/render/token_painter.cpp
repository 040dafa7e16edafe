#include "ui/render/token_painter.h"

#include "core/text/writing.h"

#include <QLineF>

#include <algorithm>

namespace headlight {

void draw_unknown_mark(QPainter& painter, const QPointF& baseline, double width, double size,
                       const QColor& colour) {
    QPen dots(colour, 0.09 * size, Qt::CustomDashLine, Qt::RoundCap);
    dots.setDashPattern({0.01, 2});
    painter.setPen(dots);
    const QPointF below = baseline + QPointF(0, 0.22 * size);
    painter.drawLine(below, below + QPointF(width, 0));
}

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
    const double share = place.anchor == Anchor::start ? 0 : place.anchor == Anchor::middle ? 0.5 : 1;
    if (place.angle != 0) {
        draw_turned(label, place, -share * width, marked, text, colour);
        return;
    }
    const QPointF origin(-share * width, regular_.middle_to_baseline());
    draw_text({place.point + origin, label, share}, width, marked, colour);
}

/// Emoji stand upright in their place along the label, which begins at `start` from the place's point.
void TokenPainter::draw_turned(const QString& label, const Place& place, double start, bool marked,
                               const TextMeasure& text, const QColor& colour) {
    QPainter& painter = context_.painter;
    const QTransform before = painter.worldTransform();
    const double to_baseline = regular_.middle_to_baseline();
    double along = start;
    for (const std::string& part : turned_parts(label.toStdString())) {
        const QString shown = QString::fromStdString(part);
        const double width = text.width(shown);
        if (is_of_emoji(part)) {
            const QPointF middle = place.point + QLineF::fromPolar(along + 0.5 * width, place.angle).p2();
            draw_text({middle + QPointF(-0.5 * width, to_baseline), shown, 0.5}, width, marked, colour);
        } else {
            painter.translate(place.point);
            painter.rotate(-place.angle);
            const double share = width > 0 ? std::clamp(-along / width, 0.0, 1.0) : 0;
            draw_text({QPointF(along, to_baseline), shown, share}, width, marked, colour);
            painter.setWorldTransform(before);
        }
        along += width;
    }
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
    if (marked)
        draw_unknown_mark(painter, placed.baseline, width, size_, colour);
}

}  // namespace headlight
