#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// A_ij = phi(q_i) . phi(k_j) / sum over the allowed keys, phi(x) = elu(x) + 1 (Katharopoulos et al. 2020,
/// eq. 7-9), as the full map.
HeadResult linear_attention(const Head& head);

}  // namespace headlight::reference
