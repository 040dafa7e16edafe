#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// What each value counts for at the query where a + B (k - q) is fitted to the values by least squares under
/// the weights p, with lambda |B|^2 (Zuo et al. 2026): a = v + cov(v, k) (cov(k, k) + lambda I)^-1 (q - k), v
/// and k being means.
Matrix local_linear_weights(const Head& head, const Matrix& p, Number lambda);

}  // namespace headlight::reference
