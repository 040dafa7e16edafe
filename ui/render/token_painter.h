#pragma once

#include "ui/render/label_plan.h"
#include "ui/render/paint_context.h"

namespace headlight {

/// Draws the labels of rows and columns in one size: unknown words in italics over dots, long ones elided in
/// the middle.
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
    void draw(const AxisLabels& axis, Index at, const Place& place, bool strong, const QColor& colour) const;

private:
    const PaintContext& context_;
    double size_;
    TextMeasure regular_, bold_, italic_;
};

}  // namespace headlight
