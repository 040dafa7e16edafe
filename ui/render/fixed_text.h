#pragma once

#include "core/figure/ticks.h"

#include <QString>

namespace headlight {

/// format_fixed() as a QString: what a window says of a number that a picture has as well. Qt would round
/// 0.125 to 0.13, which is 0.12 in a cell.
inline QString fixed_text(double value, int decimals) {
    return QString::fromStdString(format_fixed(value, decimals));
}

}  // namespace headlight
