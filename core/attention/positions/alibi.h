#pragma once

#include "core/tensor/tensor.h"

namespace headlight {

/// m_h = 2^(-8 (h+1) / H) for a power of two; else those of the power below, then every second one of the
/// power above (Press et al. 2022, and the authors' code).
double alibi_slope(Index head, Index heads);

}  // namespace headlight
