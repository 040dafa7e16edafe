#pragma once

#include "tests/reference/matrix.h"

#include <cstdint>
#include <vector>

namespace headlight::reference {

// Normalisers of one row of scores: weights of the allowed keys, 0 for the others, all 0 when nothing is
// allowed.

using Mask = std::vector<bool>;  ///< [m] of one query

Row raw_weights(const Row& scores, const Mask& allowed, Number temperature);

/// softmax(s ln(n) z), n the number of allowed keys (Nakanishi 2025).
Row length_scaled(const Row& scores, const Mask& allowed, Number temperature, Number strength);

/// softmax([s; b]) without its last number: the row really gets one more key.
Row softmax_with_sink(const Row& scores, const Mask& allowed, Number temperature, Number logit);

/// clip((high - low) softmax(s) + low, 0, 1) (Bondarenko et al. 2023).
Row clipped_softmax(const Row& scores, const Mask& allowed, Number temperature, Number low, Number high);

/// [s / t - tau]_+ over the allowed keys, tau such that they sum to 1: argmin over the simplex of |p - s /
/// t|^2 (Martins and Astudillo 2016). Found by bisection on tau: no sorting to get wrong.
Row sparsemax(const Row& scores, const Mask& allowed, Number temperature);

/// [(alpha - 1) s / t - tau]_+^(1 / (alpha - 1)), by bisection on tau (Peters, Niculae and Martins 2019,
/// algorithm 1); softmax for alpha = 1.
Row entmax(const Row& scores, const Mask& allowed, Number temperature, Number alpha);

/// clip(s - tau, 0, 1) with the sum min(budget, allowed keys), by bisection on tau.
Row budget(const Row& scores, const Mask& allowed, Number temperature, Number budget);

/// min(u_j, c e^(s_j)) with the sum 1: the share that is left goes to the free keys in the ratios of e^s, and
/// whose share passes its bound is held there, until none does (Martins and Kreutzer 2017, algorithm 1). All
/// at their bounds where these sum to less.
Row constrained_softmax(const Row& scores, const Mask& allowed, Number temperature, const Row& bounds);

/// clip(s_j - tau, 0, u_j) with the sum 1, by bisection on tau (Malaviya, Ferreira and Martins 2018).
Row constrained_sparsemax(const Row& scores, const Mask& allowed, Number temperature, const Row& bounds);

/// The sparsemax of argmin_y |y - s|^2 / 2 + fusing sum |y_{j+1} - y_j| over the allowed keys, found as the
/// string that is pulled tight through a tube around the sums of the scores (Niculae and Blondel 2017).
Row fusedmax(const Row& scores, const Mask& allowed, Number temperature, Number fusing);

/// The sparsemax of argmin_y |y - s|^2 / 2 + fusing sum over pairs of the larger of both: sorted scores, less
/// `fusing` for each pair in which they are the larger, pooled where that turns their order around.
Row oscarmax(const Row& scores, const Mask& allowed, Number temperature, Number fusing);

/// argmax over the simplex of p . s - |p|_alpha (Blondel, Martins and Niculae 2020), by bisection.
Row normmax(const Row& scores, const Mask& allowed, Number temperature, Number alpha);

/// 1 / (1 + exp(-(s + b))); the bias is -ln(n) for n allowed keys when `automatic`.
Row sigmoid_weights(const Row& scores, const Mask& allowed, Number temperature, bool automatic, Number bias);

/// max(0, s)^power / n for n allowed keys (Wortsman et al. 2023).
Row relu_weights(const Row& scores, const Mask& allowed, Number temperature, int power);

/// max(0, e^s - 1) / sum of |e^s - 1| (Zuhri et al. 2025), 0 for a row of zero scores.
Row softpick(const Row& scores, const Mask& allowed, Number temperature);

/// sign(s) softmax(|s|), with sign(0) = 1 (Lv et al. 2024).
Row signed_softmax(const Row& scores, const Mask& allowed, Number temperature);

/// f(s) / sum of f(s), f(s) = ln(1 + e^s) (Gao et al. 2026).
Row softplus_shares(const Row& scores, const Mask& allowed, Number temperature);

/// The same of f(s) = s + 1 for s >= 0 and 1 / (1 - s) below (Prieto et al. 2025).
Row stablemax(const Row& scores, const Mask& allowed, Number temperature);

/// The same of f(s) = s^power, an even one; 0 for a row of zero scores.
Row power_shares(const Row& scores, const Mask& allowed, Number temperature, int power);

/// m(i - j) e^s over the sum of the row, m(x) = min(max((R + z - x) / R, 0), 1) and i the query (Sukhbaatar
/// et al. 2019); keys after the query are as near as the query itself. 0 for a row beyond whose span all keys
/// lie.
Row adaptive_span(const Row& scores, const Mask& allowed, Number temperature, Number z, Number R,
                  std::size_t query);

/// What a draw leaves of a softmax. `weights`: softmax(s / t) over 1 - p, 0 where uniform(seed, head, query,
/// key) < p (Srivastava et al. 2014); `pairs`: the softmax of the scores for which it is not (Li et al.
/// 2023); `keys`: the softmax of the scores of the first key and of keys of which the draw, one for all
/// queries, is not below p (Liu et al. 2022).
enum class Dropped { weights, pairs, keys };
Row dropout(const Row& scores, const Mask& allowed, Number temperature, Dropped what, Number p,
            std::uint64_t seed, std::size_t head, std::size_t query);

/// softmax((s + g) / t) with g = -ln(-ln u), u = uniform(seed, head, query, key) (Jang et al. 2017); one-hot
/// on the largest s + g when `hard`.
Row gumbel(const Row& scores, const Mask& allowed, Number temperature, bool hard, std::uint64_t seed,
           std::size_t head, std::size_t query);

/// sigmoid(s_j) times the product of sigmoid(-s_k) over the allowed keys k > j, as the exponential of a sum
/// of logarithms (Tan et al. 2025, eq. 3). Without `own_key` the key `query` is not allowed.
Row stick_breaking(const Row& scores, const Mask& allowed, Number temperature, bool own_key,
                   std::size_t query);

}  // namespace headlight::reference
