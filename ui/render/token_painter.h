#pragma once

#include "ui/render/label_plan.h"
#include "ui/render/paint_context.h"

#include <optional>

namespace headlight {

/// Draws the dots below a word that the word vectors do not know, `width` long in type of that size.
void draw_unknown_mark(QPainter& painter, const QPointF& baseline, double width, double size,
                       const QColor& colour);

/// Draws the labels of rows and columns in one size: unknown words in italics over dots, long ones elided in
/// the middle. Nothing else may change the painter's font while it draws.
class TokenPainter {
public:
    TokenPainter(const PaintContext& context, double size);

    enum class Anchor { start, middle, end };
    struct Place {
        QPointF point;  ///< on the line through the middle of the text
        Anchor anchor = Anchor::start;
        double angle = 0;  ///< degrees upwards
        double most_width = 1e9;
    };
    void draw(const AxisLabels& axis, Index at, const Place& place, bool strong, const QColor& colour);

private:
    void draw_turned(const QString& label, const Place& place, double start, bool marked,
                     const TextMeasure& text, const QColor& colour);
    void choose_font(Face face, const QString& label);
    void draw_text(const PlacedText& placed, double width, bool marked, const QColor& colour);

    const PaintContext& context_;
    double size_;
    TextMeasure regular_, bold_, italic_;
    std::optional<Face> face_;  ///< that the painter has; nothing where it has a font for one label
};

}  // namespace headlight
