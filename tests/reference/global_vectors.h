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

}  // namespace headlight::reference
