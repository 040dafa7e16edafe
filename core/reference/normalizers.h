#pragma once

#include "core/reference/matrix.h"

#include <vector>

namespace headlight::reference {

/// [s / t - tau]_+ over the allowed keys, tau such that they sum to 1: argmin over the simplex of |p - s /
/// t|^2 (Martins and Astudillo 2016). Found by bisection on tau: no sorting to get wrong.
Row sparsemax(const Row& scores, const std::vector<bool>& allowed, double temperature);

}  // namespace headlight::reference
