#include "ui/render/text_shade.h"

#include "core/figure/colour_vision.h"
#include "ui/render/cell_image.h"
#include "ui/render/contrast.h"

#include <algorithm>
#include <cmath>

namespace headlight {

TextInks::TextInks(const FigureStyle& style) {
    const bool is_dark = style.background.lightnessF() < 0.5f;
    looks = is_dark ? QColor(86, 180, 233) : QColor(0, 114, 178);
    seen = is_dark ? QColor(230, 159, 0) : QColor(213, 94, 0);
}

QColor text_shade(QColor ink, double weight, double largest) {
    const double share = largest > 0 && std::isfinite(weight) ? std::clamp(weight / largest, 0.0, 1.0) : 0;
    ink.setAlphaF(static_cast<float>(share));
    return ink;
}

QColor letters_on(const QColor& shade, const FigureStyle& style) {
    const float share = shade.alphaF();
    const auto over = [&](float ink, float ground) { return share * ink + (1 - share) * ground; };
    const QColor ground = QColor::fromRgbF(over(shade.redF(), style.background.redF()),
                                           over(shade.greenF(), style.background.greenF()),
                                           over(shade.blueF(), style.background.blueF()));
    if (contrast(rgb_of(style.text), rgb_of(ground)) >= least_readable_contrast)
        return style.text;
    return ink_on(ground);
}

}  // namespace headlight
