#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// Attention over the keys [n, d_k] of the own sequence, up to the query, and behind them those of another
/// (T5Gemma 2). The weights are those of the other sequence.
HeadResult merged_sources(const Head& head, const Matrix& own_keys, const Matrix& own_values);

struct DynamicMask {
    Matrix steps;  ///< [m, h_kv], what the values of all heads say, before softplus
    Row rates;     ///< [h_kv]
    std::size_t kv_head = 0;
    std::size_t kept = 1;
};
/// softmax of q . k / sqrt(d) + exp(rate softplus(step)) over the `kept` keys, of those that the query may
/// see, at which that is largest (Shi et al. 2025). Those that are as large as the last of them stay as well.
HeadResult dynamic_mask(const Head& head, const DynamicMask& mask);

/// Attention among the `count` tokens of the text with the largest numbers, of those that some query sees,
/// each row times the sigmoid of its number; other rows are 0 (Piękos et al. 2025). With `takes_first` the
/// first token is one of them.
HeadResult expert_choice(const Head& head, const Row& numbers, std::size_t count, bool takes_first);

/// Bipartite soft matching by the mean of the heads' keys, and attention among what is left, in which a token
/// counts for as many as it is the mean of (Bolya et al. 2023, sections 3.1 and 3.2); every token has the
/// output of the one that it has become part of, and its share of the weight.
std::vector<HeadResult> token_merging(const std::vector<Head>& heads, std::size_t merged);

}  // namespace headlight::reference
