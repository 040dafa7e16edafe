#pragma once

#include "tests/reference/attention.h"

// Causal softmax attention to values that those before them have changed.
namespace headlight::reference {

/// Token by token, what is stored of each is u_t = v_t - beta_t sum_{j<t} p_tj u_j, p_t the softmax of k_t .
/// k_j / sqrt d, or of q_t . k_j / sqrt d, over the tokens before it (Zhong et al. 2025); a query gets the
/// softmax of q_t . k_j / sqrt d over j <= t of the u_j. What is stored is carried as shares of the values.
HeadResult deltaformer(const Head& head, const Row& beta, bool compares_keys);

/// A G^-1 V, A the softmax of q_t . k_j / sqrt d over j <= t and G_ij = exp(k'_i . k'_j / sqrt d - sqrt d)
/// for j <= i, k' = sqrt d k / |k|, 1 on the diagonal (Duvvuri et al. 2026). Each row w of the map solves
/// w G = a, from its last number back.
HeadResult lucid(const Head& head);

}  // namespace headlight::reference
