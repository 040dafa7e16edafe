#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct Castle {
    Matrix to_query, to_key, to_value;  ///< [d, h d_k]: the parts of the lookahead, heads side by side
    std::size_t heads = 1;
};

/// The recurrent form (Song et al. 2025): query t sees of each token s <= t its key k_s and the lookahead key
/// u_s = sum over s < j <= t of sigmoid(q^u_s . k^u_j / sqrt d) v^u_j, without the tokens j that are hidden
/// from t, and weighs by the softmax of q_t . k_s / sqrt d - silu(q_t . u_s / sqrt d).
HeadResult castle_attention(const Head& head, const Castle& castle);

}  // namespace headlight::reference
