#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>

namespace headlight::kernels {

/// The uniform number, in [0, 1), that a query's draw of this number goes by.
double chance_of_draw(std::uint64_t stream, Index query, Index draw);

/// The key at which the cumulated weights pass chance_of_draw() (inverse transform sampling). Keys of weight
/// 0 are never drawn. `weights` [count] sum to about 1.
template <class Real>
Index draw_key(const Real* weights, Index count, std::uint64_t stream, Index query, Index draw);

}  // namespace headlight::kernels
