#pragma once

#include "core/kernels/kernels.h"

#include <algorithm>
#include <cmath>

namespace headlight {

/// row = c tanh(row / c), in place; infinite numbers stay: a key that the mask forbids remains forbidden
/// (Gemma 2).
template <class Real>
void to_soft_capped(Real* row, Index size, Real cap, const kernels::Table<Real>& table) {
    constexpr Index part = 256;
    Real capped[part];
    for (Index first = 0; first < size; first += part) {
        Real* scores = row + first;
        const Index count = std::min(part, size - first);
        for (Index key = 0; key < count; ++key)
            capped[key] = scores[key] / cap;
        table.activate(Activation::tanh, capped, count);
        for (Index key = 0; key < count; ++key)
            scores[key] = std::isinf(scores[key]) ? scores[key] : cap * capped[key];
    }
}

}  // namespace headlight
