#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// The weights whose sum of values is E_p[v] - Cov_p(s, v) (Zuo et al. 2026), s = strength (x W_r) . k:
/// p_j - p_j (s_j - E_p[s]).
Matrix parallax_weights(const Head& head, const Matrix& p, const Matrix& W_r, Number strength);

}  // namespace headlight::reference
