#pragma once

#include "core/figure/colour.h"

#include <QColor>

#include <algorithm>
#include <cstdint>

namespace headlight {

/// By WCAG 2: 1 for the same colour, 21 for black and white.
inline double contrast(const QColor& a, const QColor& b) {
    const auto luminance_of = [](const QColor& colour) {
        return luminance(
            {std::uint8_t(colour.red()), std::uint8_t(colour.green()), std::uint8_t(colour.blue())});
    };
    const auto [low, high] = std::minmax({luminance_of(a), luminance_of(b)});
    return (high + 0.05) / (low + 0.05);
}

}  // namespace headlight
