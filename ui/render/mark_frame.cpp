#include "ui/render/paint_context.h"

#include <algorithm>
#include <cmath>

namespace headlight {

void frame_on_any_colour(const PaintContext& context, const QRectF& around, const LineOnGround& line) {
    QRectF middle = around;
    double width = line.width, beside = line.beside;
    if (draws_pixels(context.painter)) {
        const double scale = context.painter.deviceTransform().m11();
        const double line_pixels = std::max(1.0, std::round(width * scale)),
                     beside_pixels = std::max(1.0, std::round(beside * scale));
        middle = on_pixels(context.painter, around);
        // The middle of an odd number of pixels is that of one of them.
        if (std::fmod(line_pixels, 2) == 1)
            middle.translate(0.5 / scale, 0.5 / scale);
        width = line_pixels / scale;
        beside = beside_pixels / scale;
    }
    context.set_line(width + 2 * beside, context.style.background);
    context.painter.drawRect(middle);
    context.set_line(width, line.colour);
    context.painter.drawRect(middle);
}

}  // namespace headlight
