#pragma once

#include "core/tensor/index.h"

namespace headlight {

/// left . right in double, added from the first number to the last.
inline double dot(const auto* left, const auto* right, Index size) {
    double sum = 0;
    for (Index i = 0; i < size; ++i)
        sum += static_cast<double>(left[i]) * static_cast<double>(right[i]);
    return sum;
}

}  // namespace headlight
