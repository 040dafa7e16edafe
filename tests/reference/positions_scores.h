#pragma once

#include "tests/reference/attention.h"

#include <string>

namespace headlight::reference {

/// q_i . a_(clip(j - i)), a [2 distance + 1, d] from distance -distance on (Shaw et al. 2018, eq. 4).
Matrix shaw_scores(const Head& head, const Matrix& a);
/// sum_j A_ij a_(clip(j - i)) (eq. 3).
Matrix shaw_context(const Matrix& weights, const Matrix& a);

/// u . k_j + (q_i + v) . (R_(i-j) W_r), R_r the sinusoids of r: what equation 5 of Dai et al. 2019 adds to
/// q_i . k_j.
Matrix transformer_xl_scores(const Head& head, const Matrix& W_r, const Row& u, const Row& v);

struct DebertaRule {
    Matrix P;                  ///< [2k, d]
    Matrix W_kr;               ///< [d, h d_k]; empty: no content-to-position term
    Matrix W_qr;               ///< empty: no position-to-content term
    bool as_released = false;  ///< the relative query of delta(i, j) in place of delta(j, i)
};
/// q_i . (P W_kr)_(delta(i, j)) + k_j . (P W_qr)_(delta(j, i)), delta(i, j) = clip(i - j + k, 0, 2k - 1) (He
/// et al. 2021, eq. 3 and 4).
Matrix deberta_scores(const Head& head, const DebertaRule& rule);

/// k_j^T M q_i with M the product of I - beta_t w_t w_t^T over the tokens t after the earlier one up to the
/// later one, as matrices (Yang et al. 2025, eq. 2). W_path [d, h d_k], W_beta [d, h].
Matrix path_scores(const Head& head, const Matrix& W_path, const Matrix& W_beta, Number strength);

}  // namespace headlight::reference
