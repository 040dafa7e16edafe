#pragma once

#include "core/tensor/index.h"

namespace headlight {

/// left . right, added in as many lanes as the processor has, as numbers of type Sum. For rooms that OpenMP
/// is compiled into: its pragma is unknown to others, which have dot.h.
template <class Sum, class Left, class Right>
Sum dot_in_lanes(const Left* left, const Right* right, Index size) {
    Sum sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index i = 0; i < size; ++i)
        sum += static_cast<Sum>(left[i]) * static_cast<Sum>(right[i]);
    return sum;
}

}  // namespace headlight
