#pragma once

#include "tests/reference/matrix.h"

namespace headlight::reference {

/// x / |x|, its direction (Henry et al. 2020); zeros stay zeros.
Row direction(const Row& x);

/// g (x - mean) / sqrt(variance + 1e-6), the variance over all components (Ba et al. 2016; Dehghani et al.
/// 2023).
Row layer_normalized(const Row& x, const Row& g);

/// g x / sqrt(mean of the squares + 1e-6) (Zhang and Sennrich 2019; Qwen3).
Row rms_normalized(const Row& x, const Row& g);

}  // namespace headlight::reference
