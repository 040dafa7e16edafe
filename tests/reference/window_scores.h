#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// sum_k a_k exp(-b_k (kappa_k - j)^2) of the keys j from 1, with a, b and the steps of kappa from the
/// numbers q W + b of each query, [a^, b^, kappa^], none above 100: their exponentials (Graves 2013,
/// equations 46 to 51). With `has_densities` a softmax of a^, each times a normal density of deviation
/// softplus(b^), at least 1e-5, and steps softplus(kappa^) (Battenberg et al. 2020, table 1, V2). W [d_q, 3
/// K].
Matrix gaussian_window_scores(const Head& head, const Matrix& W, const Row& b, bool has_densities);

}  // namespace headlight::reference
