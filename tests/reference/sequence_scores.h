#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

// Scores of whole heads: those that look at places, or at other rows than their own.

using Finish = std::function<Row(std::size_t query, const Row& raw)>;

/// v . act(q W_1 + k W_2 + b) and what the weights so far add to its inside.
struct AdditiveRule {
    Matrix W_1, W_2;
    Row b, v;
    Activation activation = Activation::tanh;
};

/// With f U inside, f = F convolved with the last weights, or with the sum of all (Chorowski et al. 2015,
/// eq. 8 and 9; Tacotron 2). The first query has the uniform row over what it may look at, or zeros. F
/// [filters, width], U [filters, d_a]. Returns the weights.
Matrix location_aware_weights(const Head& head, const Finish& finish, const AdditiveRule& rule,
                              const Matrix& F, const Matrix& U, bool cumulative, bool everything_open);

/// With c w_c inside, c the sum of the weights before (See et al. 2017, eq. 11).
Matrix coverage_weights(const Head& head, const Finish& finish, const AdditiveRule& rule, const Row& w_c);

/// q W (Luong et al. 2015, eq. 8); W [d_q, m].
Matrix location_scores(const Head& head, const Matrix& W);

/// max(0, q W_1 + b) W (Tay et al. 2021, eq. 2); W [d_a, m].
Matrix dense_synthesizer_scores(const Head& head, const Matrix& W_1, const Row& b, const Matrix& W);

/// The head's rows of R [h n, m], or of R_1 [h n, r] times those of R_2 [h m, r].
Matrix random_synthesizer_scores(const Head& head, const Matrix& R, const Matrix& R_1, const Matrix& R_2);

/// sum_ab theta_ab S_{i - a, j + c / 2 - b} with S = q . k / sqrt(d), 0 where it is forbidden, over a kernel
/// of `rows` queries and c keys; theta [h rows, c] (Golovneva et al. 2025, eq. 5).
Matrix multi_token_scores(const Head& head, const Matrix& theta, std::size_t rows, bool everything_open);

/// S_ij - sum over t < i of max(0, S^0_tj) with S^0 the scores of the first head, without t = j, without key
/// 0, and without pairs that are forbidden (Leviathan et al. 2025).
Matrix selective_scores(const Head& head, const Head& first, bool everything_open);

}  // namespace headlight::reference
