#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct ProductKeys {
    Matrix left, right;  ///< [c, d / 2]: halves of keys
    Matrix values;       ///< [c c, d_v]: slot a c + b has the key [left a; right b]
    std::size_t read = 1;
};

/// The softmax over the `read` best of all c² slots, each compared as a whole (Lample et al. 2019, equations
/// 1 to 3). The weights: how much of what i reads lies in slots that j reads.
HeadResult product_keys(const Head& head, const ProductKeys& memory);

/// Learned tokens in the place of a matrix.
struct ParameterTokens {
    Matrix keys;    ///< [tokens, d_in]
    Matrix values;  ///< [tokens, d_out]
};
struct TokenParameters {
    ParameterTokens of_queries, of_keys, of_values;
    bool is_normed_first = true;
    WeighScores weigh;
};

/// Queries, keys and values by attention to parameter tokens, then attention (Wang et al. 2025, equations 3
/// to 6). `value_tokens` are [m, d_v].
std::vector<HeadResult> token_parameters(const std::vector<Head>& heads, const Matrix& value_tokens,
                                         const TokenParameters& setting);

}  // namespace headlight::reference
