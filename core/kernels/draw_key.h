#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>

namespace headlight::kernels {

/// The key at which the cumulated weights pass a uniform number (inverse transform sampling); the number
/// depends on (stream, query, draw) alone. Keys of weight 0 are never drawn. `weights` [count] sum to
/// about 1.
template <class Real>
Index draw_key(const Real* weights, Index count, std::uint64_t stream, Index query, Index draw);

}  // namespace headlight::kernels
