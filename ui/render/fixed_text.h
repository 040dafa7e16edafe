#pragma once

#include "core/attention/arithmetic_text.h"
#include "core/figure/ticks.h"

#include <QString>

#include <cmath>

namespace headlight {

/// format_fixed() as a QString: what a window says of a number that a picture has as well. Qt would round
/// 0.125 to 0.13, which is 0.12 in a cell.
inline QString fixed_text(double value, int decimals) {
    return QString::fromStdString(format_fixed(value, decimals));
}

/// The same of a number that may be so small, as is a share in a long text, that these decimals leave it no
/// digit or one: three significant digits then, "2.74×10⁻⁵".
inline QString legible_text(double value, int decimals) {
    constexpr int significant = 3;
    const bool is_faint = value != 0 && std::abs(value) < std::pow(10.0, 1 - decimals);
    return is_faint ? QString::fromStdString(format_number(value, significant)) : fixed_text(value, decimals);
}

}  // namespace headlight
