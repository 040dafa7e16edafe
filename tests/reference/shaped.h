#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// alpha I + beta A - gamma C of one head, C_ij = 1 / (keys that i sees): equation 5 of He and Hofmann 2024.
/// Without the pairs that are not allowed.
Matrix shaped_weights(const Matrix& A, const Allowed& allowed, Number alpha, Number beta, Number gamma);

}  // namespace headlight::reference
