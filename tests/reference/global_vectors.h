#pragma once

#include "tests/reference/attention.h"

// Tokens that look at one vector, a mean of all by a softmax, and not at each other. The weights are the
// shares in it; means are over the tokens that the first query sees.
namespace headlight::reference {

struct Fastformer {
    Row of_query, of_key;  ///< [h d]: what asks queries and keys for their shares
    Matrix of_values;      ///< [h d, h d]
};
/// Additive attention to one global query and one global key (Wu et al. 2021, equations 2 to 6).
std::vector<HeadResult> fastformer(const std::vector<Head>& heads, const Fastformer& setting);

/// c = sum_j softmax(w . q)_j k_j, o_i = max(v_i, 0) c feature by feature (Mehta and Rastegari 2023).
HeadResult separable(const Head& head, const Row& w);

struct EfficientAdditive {
    Row of_query;  ///< [h d]: what asks queries for their numbers
    Matrix mixed;  ///< [h d, h d]
    Row bias;      ///< [h d]
};
/// g = sum_j a_j q_j, a = w . q over its length, o_i = (g v_i) W + b + q_i, of queries and values of length 1
/// (SwiftFormer, Shaker et al. 2023).
std::vector<HeadResult> efficient_additive(const std::vector<Head>& heads, const EfficientAdditive& setting);

}  // namespace headlight::reference
