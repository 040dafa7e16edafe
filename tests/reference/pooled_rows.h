#pragma once

#include "tests/reference/attention.h"

#include <optional>
#include <vector>

// A few rows that are made of a text, whatever its length, by learned vectors that ask; every token gets the
// mean of the rows. Tokens that the first query does not see are not looked at.
namespace headlight::reference {

/// (x - mean) / sqrt(variance + 1e-5), row by row.
Matrix normed_rows(Matrix x);

struct AttentionPooling {
    Matrix seeds;              ///< [s, h d_k], projected as queries are; empty: the mean of the queries asks
    bool mean_is_key = false;  ///< the mean of the keys and values is one more token
    bool is_one_sequence = true;
    std::size_t steps = 1;  ///< each but the last replaces what asks by the keys that it finds
    Number beta = 1;
    std::optional<Linear> layer;  ///< H = P + O, then H + relu(H W + b) over all heads
    bool is_normed = false;       ///< ... with a norm behind each
};
/// Softmax attention of the seeds (Lee et al. 2019, section 3.2; Ramsauer et al. 2021, section 3).
std::vector<HeadResult> attention_pooling(const std::vector<Head>& heads, const AttentionPooling& setting);

struct AdditivePooling {
    Matrix V;  ///< [d, units]
    Matrix U;  ///< [d, units]; empty: no gates
    Matrix w;  ///< [r, units]
};
/// softmax_j(w . (tanh(h_j V) * sigmoid(h_j U))) for each row of w (Lin et al. 2017, equation 6; Ilse et al.
/// 2018, equation 9). The vectors h are the queries, and are what is added up.
HeadResult additive_pooling(const Head& head, const AdditivePooling& setting);

struct PoolingLevel {
    Linear layer;
    Row context;
};
/// Words of each sentence, then sentences, by softmax(u . tanh(h W + b)) (Yang et al. 2016, equations 5 to
/// 10). Sentences have these lengths, and what is left is one more.
HeadResult hierarchical_pooling(const Head& head, const PoolingLevel& of_words,
                                const PoolingLevel& of_sentences, const std::vector<std::size_t>& lengths);

/// mean_j x_j + lambda sum_j softmax_j(T x_j . m / |m|) x_j for each row m of `classes` (Zhu and Wu 2021).
HeadResult class_residual(const Head& head, const Matrix& classes, Number sharpness, Number lambda);

// Those whose tokens do not all get the same.

struct MemoryHops {
    std::size_t hops = 1;
    Number scale = 1;
    Matrix mapping;              ///< [d, d]: u H + o, with the same keys and values in each hop; or empty
    std::vector<Matrix> values;  ///< [m, d] of the hops 2, 3, ..., whose keys are the values before
};
/// u <- u + sum_j softmax_j(u . m_j) c_j (Sukhbaatar et al. 2015, section 2.2); the weights are those of the
/// last hop, the context is the last u.
HeadResult memory_hops(const Head& head, const MemoryHops& setting);

/// Softmax attention to the keys and values of `memory_keys` [s, d_k] and `memory_values` and of the tokens
/// (Burtsev et al. 2020); the weights are those of the tokens.
HeadResult memory_tokens(const Head& head, const Matrix& memory_keys, const Matrix& memory_values);

struct SlotAttention {
    std::size_t rounds = 1;
    bool is_normed = true;
    std::optional<Linear> to_query;                ///< none: the slots themselves
    std::optional<Linear> cell_input, cell_state;  ///< [h d_v, 3 d] and [d, 3 d]: reset, update, new
    std::optional<Linear> hidden, layer;           ///< of each slot, behind a norm, added to it
};
/// Locatello et al. 2020, algorithm 1, without noise and the norm of the inputs: the slots begin as the token
/// vectors of the queries.
std::vector<HeadResult> slot_attention(const std::vector<Head>& heads, const SlotAttention& setting);

}  // namespace headlight::reference
