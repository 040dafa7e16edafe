#pragma once

#include "tests/reference/attention.h"

#include <vector>

namespace headlight::reference {

struct InducingPoints {
    Matrix points;   ///< [s, h d_k]: learned queries, the heads side by side
    Matrix to_keys;  ///< [h d_v, h d_k]: of what the points have found, all heads side by side
    /// Layers in which the points look at each other, each [h d_v, h d_v]; what they find is added.
    struct Look {
        Matrix to_query, to_key, to_value, to_output;
    };
    std::vector<Look> looks;
    bool has_blocks = false;  ///< H = Q + O, then H + relu(H W + b), around both attentions
    bool is_normed = false;   ///< ... with a norm behind each
    Matrix to_values;         ///< [h d_v, h d_v]: of what the points have, in a block
    Linear of_points, of_tokens;
};

/// The two attentions of an induced set attention block (Lee et al. 2019, section 3.1): H = attention of the
/// points over the tokens, then attention of the tokens over H, whose values are H itself, or, in blocks
/// (equations 6 and 7), a projection of it. Between the two the points may look at each other (Jaegle et al.
/// 2021).
std::vector<HeadResult> inducing_points(const std::vector<Head>& heads, const InducingPoints& setting);

/// softmax(Q a^T / sqrt(d)) softmax(a K^T / sqrt(d)) V (Han et al. 2024), a the means of `agents`
/// stretches of queries that are as long as one another, or nearly.
HeadResult agent_attention(const Head& head, std::size_t agents, bool is_one_sequence);

/// The same by way of some of the first n queries (Patrick et al. 2021): after the one that `first` draws, a
/// number from 0 to 1, always that whose largest |cosine| with those chosen is the smallest.
HeadResult orthogonal_attention(const Head& head, std::size_t points, bool is_one_sequence, Number first);

}  // namespace headlight::reference
