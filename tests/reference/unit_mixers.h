#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct GatedUnit {
    Row gamma_q, beta_q, gamma_k, beta_k;  ///< [d_k]
    Matrix to_gate;                        ///< [d, d_v]: the columns of this head
    std::size_t length = 0;                ///< n; the number of keys when it is 0
};
/// relu(q . k / n)^2 of the allowed pairs, q and k gains and shifts of silu; times silu(v), and the sum times
/// silu(x W_u) (Hua et al. 2022, code 1).
HeadResult gated_attention_unit(const Head& head, const GatedUnit& unit);

/// XNorm(q) XNorm(K^T V), XNorm(x) = gamma x / |x| of each row, 0 for a row of zeros (Song 2021), over the
/// keys that a query sees.
HeadResult ufo(const Head& head, Number gamma);

/// k(Q, Z) (k(Z, Z) + lambda I)^-1 k(Z, K), k(a, b) = exp(-|a - b|^2 / (2 sqrt d)), Z the means of
/// `landmarks` segments of the queries and of the keys that are seen, no more than there are (Chen et al.
/// 2021, section 4, with means for samples). Every query sees the same keys.
HeadResult kernel_landmarks(const Head& head, std::size_t landmarks, Number lambda);

}  // namespace headlight::reference
