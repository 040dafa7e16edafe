#pragma once

#include "core/tensor/tensor.h"

#include <algorithm>
#include <limits>

namespace headlight {

/// Numbers that are compared next to each other, and with each other at the end.
inline constexpr Index row_lanes = 8;

/// -infinity of none; NaN is passed over.
template <class Real>
Real row_maximum(const Real* row, Index size) {
    Real largest[row_lanes];
    std::fill_n(largest, row_lanes, -std::numeric_limits<Real>::infinity());
    Index i = 0;
    for (; i + row_lanes <= size; i += row_lanes)
        for (Index lane = 0; lane < row_lanes; ++lane)
            largest[lane] = std::max(largest[lane], row[i + lane]);
    for (; i < size; ++i)
        largest[0] = std::max(largest[0], row[i]);
    return *std::max_element(largest, largest + row_lanes);
}

}  // namespace headlight
