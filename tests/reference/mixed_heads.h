#pragma once

#include "tests/reference/attention.h"

// Heads that share vectors, maps or values, and what each of them counts for.
namespace headlight::reference {

/// Softmax attention of a head with these queries, keys and values.
HeadResult softmax_attention(const Matrix& q, const Matrix& k, const Matrix& v, const Allowed& allowed);
/// The same with what `weigh` makes of q k^T / sqrt d.
HeadResult weighed_attention(const Head& head, const Matrix& q, const Matrix& k, const Matrix& v,
                             const WeighScores& weigh);

/// Row t of `factors` [tokens, h R] holds h blocks of R numbers, or row 0 for all tokens where there is only
/// one: what each head takes of each of R vectors.
struct TensorProduct {
    Matrix of_queries;  ///< empty: each head has queries of its own
    Matrix of_keys, of_values;
    std::size_t kv_heads = 1;  ///< R of keys and values
};
/// k_(t,i) = sum_r a_(t,i,r) b_(t,r) / R, queries and values alike, then softmax attention of each head
/// (Zhang et al. 2025). The vectors b are the heads of `heads`.
std::vector<HeadResult> tensor_product(const std::vector<Head>& heads, const TensorProduct& setting);

/// softmax(q k^T / sqrt d) - share_t softmax(q' k^T / sqrt d) of the second queries q' [n, d], with what
/// `weigh` has in the place of both softmaxes.
HeadResult differential_2(const Head& head, const Matrix& second_query, const Row& shares,
                          const WeighScores& weigh);

struct HeadMixture {
    Matrix routed, shared, kinds;  ///< [d, h - s], [d, s], [d, 2]; the last two empty where s is 0
    std::size_t active = 1;
    bool is_renormalized = false;
};
/// g_h O_h: the first s heads a_1 softmax(x W_s), the others a_2 softmax(x W_r) where that is among the
/// `active` largest, else 0; (a_1, a_2) = softmax(x W_k) (Jin et al. 2024). Renormalised:
/// the gates of a kind sum to the number of its heads, and a_1 + a_2 to 2.
std::vector<HeadResult> head_mixture(const std::vector<Head>& heads, const HeadMixture& setting);

/// xi O of each head, times h over the kept ones, 0 for a dropped one: uniform(seed, head) < rate.
std::vector<HeadResult> head_scale(const std::vector<Head>& heads, const Row& xi, Number rate,
                                   std::uint64_t seed);

/// sum_r softmax_r(x W_q . (A V_r) W_k / sqrt d_r) A V_r of each search A (Mittal et al. 2022).
struct Compositional {
    Matrix query;  ///< [d, h d_r]
    Matrix key;    ///< [d_v, d_r]
    std::size_t retrievals = 1;
};
std::vector<HeadResult> compositional(const std::vector<Head>& heads, const Compositional& setting);

/// S_h = Q diag(m_h) K^T / sqrt d over the features of all heads (Cordonnier et al. 2020).
std::vector<HeadResult> collaborative(const std::vector<Head>& heads, const Matrix& mixing);

/// Token t becomes the tokens t P .. t P + P - 1 of a longer text, whose vectors are mixtures of those of all
/// heads: row p h + i of a mixing says what number p of head i takes of each head. Softmax attention of each
/// head within that, then o_t = sum_p R_ip o_(t P + p), or the sum over the numbers of all heads (Duvvuri et
/// al. 2026, algorithm 1 and definition 3). The weight of a token is the mean over the numbers of the query
/// of what all numbers of the key get.
struct InterleavedHeads {
    Matrix of_queries, of_keys, of_values;  ///< [P h, h]
    Matrix collapse;                        ///< [h, P], or [h, h P]
    bool is_strict = false;                 ///< of its own token a number sees none that is larger
    Number base = 0;  ///< neighbours are turned by their place in the longer text; 0: none
};
std::vector<HeadResult> interleaved_heads(const std::vector<Head>& heads, const InterleavedHeads& setting);

/// Softmax over all runs of up to `widest` keys that the query sees whole: the key of a run is the mean of
/// its keys, its value the sum of its values, or, `are_means`, their mean (Li et al. 2019).
HeadResult area(const Head& head, std::size_t widest, bool are_means);

/// Softmax over pairs (j, l) of keys that the query sees of sum_c q_c k_jc k'_lc / sqrt d, times v_j v'_l
/// feature by feature (Clift et al. 2020; Roy et al. 2025); the weight of a key j is that of all
/// its pairs. With a window l is one of so many places up to j.
HeadResult simplicial(const Head& head, const Matrix& second_key, const Matrix& second_value,
                      std::size_t window);

/// What the tokens of one side of a pair mix maps by.
struct MixingSide {
    Matrix hidden;  ///< [d, K]
    Matrix mixing;  ///< [K, 2 R h]: R blocks that are read with, then R that are written with
    Matrix own;     ///< [d, h]
};
struct DynamicComposition {
    MixingSide scores_by_queries, scores_by_keys, weights_by_queries, weights_by_keys;
    bool keys_mix = true;
    std::size_t rank = 1;
};
/// A'_g = A_g + sum_r w2_rg sum_h w1_rh A_h + A_g tanh(x W_own)_g by the token of the query, and by that of
/// the key, of the scores and of the weights; (w1, w2) = gelu(x W_hidden) W_mixing, w1 over its root mean
/// square (Xiao et al. 2024). gelu is the approximation by tanh.
std::vector<HeadResult> dynamically_composed(const std::vector<Head>& heads,
                                             const DynamicComposition& setting);

}  // namespace headlight::reference
