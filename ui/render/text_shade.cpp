#include "ui/render/text_shade.h"

#include "core/figure/colour_vision.h"
#include "ui/render/contrast.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

/// The ink, or as much of it as leaves the text readable on it.
QColor read_through(const QColor& ink, const FigureStyle& style) {
    for (int percent = 100; percent > 0; --percent) {
        const QColor mix = mixed(style.background, ink, percent / 100.0);
        if (contrast(rgb_of(style.text), rgb_of(mix)) >= least_readable_contrast)
            return mix;
    }
    return style.background;
}

}  // namespace

TextInks::TextInks(const FigureStyle& style) {
    const bool is_dark = style.is_on_dark();
    looks = read_through(is_dark ? QColor(86, 180, 233) : QColor(0, 114, 178), style);
    seen = is_dark ? QColor(230, 159, 0) : QColor(213, 94, 0);
}

QColor text_shade(QColor ink, double weight, double largest) {
    const double share = largest > 0 && std::isfinite(weight) ? std::clamp(weight / largest, 0.0, 1.0) : 0;
    ink.setAlphaF(static_cast<float>(share));
    return ink;
}

}  // namespace headlight
