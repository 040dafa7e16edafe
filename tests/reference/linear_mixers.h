#pragma once

#include "tests/reference/attention.h"

// Token mixers without a softmax over keys, each as its full map. What an engine does with a running state is
// here a sum over keys; where a key is changed on its way to a query, it is taken there step by step.
namespace headlight::reference {

/// A = kernel(i, j) for the keys that i sees; with `divides`, over the sum of the row.
HeadResult kernel_attention(const Head& head, const std::function<Number(std::size_t, std::size_t)>& kernel,
                            bool divides);

/// q . k between rows.
Number product_of_rows(const Matrix& a, std::size_t i, const Matrix& b, std::size_t j);

/// relu(q) . relu(k) cos(pi/2 (i - j)/M), rows over their sums (Qin et al. 2022, eq. 9).
HeadResult cosformer(const Head& head, Number horizon);

/// 1 + s + s^2/2 of s = q . k / sqrt(d), rows over their sums (Arora et al. 2024, section 4.1).
HeadResult based(const Head& head);

struct Affine {
    Row gain, shift;
};
/// (q' . k')^2 with x' = gain x + shift, of x with mean 0 and variance 1 if `normalizes` (Aksenov et al.
/// 2024).
HeadResult rebased(const Head& head, const Affine& of_query, const Affine& of_key, bool normalizes);

/// (q . k)^p, p even, rows over their sums (Buckman et al. 2024).
HeadResult power(const Head& head, int p);

/// q_t^T S q_j times scale^2, S = sum_i k_i k_i^T of the keys that both t and j see (Zhang et al. 2025, the
/// second order: S is a metric that the keys make). Tokens have queries and keys.
HeadResult higher_order(const Head& head, Number scale);

/// Softmax over the features of a query, times the softmax of each feature over the keys that it sees (Shen
/// et al. 2021, eq. 5).
HeadResult efficient(const Head& head);

/// gamma^(steps) q . k times `scale` (Sun et al. 2023, eq. 5), steps being the keys after j up to the last
/// one that i sees; with `normalizes`, rows over max(|sum|, 1).
HeadResult retention(const Head& head, Number gamma, Number scale, bool normalizes);

/// phi(q) . phi(k) over the sum of the row, phi(x) = exp(w . x' - |x'|^2/2), x' = x d^(-1/4), for r
/// directions w drawn from the seed, orthogonal in blocks of d (Choromanski et al. 2021).
HeadResult performer(const Head& head, std::size_t features, std::uint64_t seed);
/// The directions [r, d]: rows of independent standard normals; in each block of d rows, each is made
/// orthogonal to those before and given back its length.
Matrix random_directions(std::size_t features, std::size_t width, std::uint64_t seed);
/// Independent standard normals, [rows, width], of the stream of that name.
Matrix random_normals(std::size_t rows, std::size_t width, std::uint64_t seed, const char* name);

/// A state that keys are written to (Yang et al. 2024): S <- diag(a) S, then S <- S + w k (v - [S^T k])^T,
/// the part in brackets only for the delta rule, o = scale S^T q. A query that does not see every key up to
/// its last reads without the delta rule the sum of those that it sees, faded by all after them but padding,
/// which nobody sees; with it a state that these alone were written to, as of its document.
struct StateRule {
    Matrix gates;   ///< [m, d]; an empty one is all ones
    Row strengths;  ///< [m]; an empty one is all ones
    bool is_delta = false;
    Number scale = 1;
};
HeadResult state_attention(const Head& head, const StateRule& rule);

/// Gates and strengths of one head from the keys' token vectors. W is [d, heads width], columns of a head
/// side by side.
Matrix head_projection(const Head& head, const Matrix& weights, const Row& bias, std::size_t width);
Number sigmoid(Number x);
Number softplus(Number x);
Matrix unit_rows(const Matrix& vectors);

/// o = sum_j v_j k_j^T (sum_j k_j k_j^T + lambda I)^-1 q (von Oswald et al. 2025, eq. 7), solved anew for
/// each query.
HeadResult mesa(const Head& head, Number lambda);

}  // namespace headlight::reference
