#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct InducingPoints {
    Matrix points;   ///< [s, h d_k]: learned queries, the heads side by side
    Matrix to_keys;  ///< [h d_v, h d_k]: of what the points have found, all heads side by side
};

/// The two attentions of an induced set attention block (Lee et al. 2019, section 3.1): H = attention of the
/// points over the tokens, then attention of the tokens over H, whose values are H itself. Without residuals
/// and layers.
std::vector<HeadResult> inducing_points(const std::vector<Head>& heads, const InducingPoints& setting);

/// softmax(Q a^T / sqrt(d)) softmax(a K^T / sqrt(d)) V (Han et al. 2024), a the means of `agents`
/// stretches of queries that are as long as one another, or nearly.
HeadResult agent_attention(const Head& head, std::size_t agents, bool is_one_sequence);

}  // namespace headlight::reference
