#pragma once

#include "tests/reference/attention.h"
#include "tests/reference/matrix.h"

#include <string>

namespace headlight::reference {

/// m_h of ALiBi: 2^(-8 (h+1) / H) for H a power of two, else slopes of the largest power P below H, followed
/// by those numbered 0, 2, 4 ... of 2 P (Press et al. 2022; the authors' get_slopes).
Number alibi_slope(std::size_t head, std::size_t heads);

/// -m (i - j), -m |i - j| or, "key_only", +m j.
Matrix alibi_bias(std::size_t queries, std::size_t keys, Number slope, const std::string& form);

/// Row p of the table to the token at place p. Of more tokens than rows the first gets the first row, the
/// last the last, and those between them lie evenly: mixtures of the rows before and after.
Matrix add_learned_position(const Matrix& tokens, const Matrix& table);
/// Row s of the table is added to the tokens of segment s: as many as its length says, then those that are
/// left (Devlin et al. 2019).
Matrix add_segments(const Matrix& tokens, const std::vector<std::size_t>& lengths, const Matrix& table);

/// Row of the table that a distance j - i reads (Raffel et al. 2020, section 2.1): the first buckets hold one
/// distance each, bucket t of the others begins where (r / exact)^others reaches (max / exact)^t.
std::size_t t5_bucket(long key_minus_query, std::size_t buckets, std::size_t max_distance,
                      bool bidirectional);

/// -r_1 ln(1 + r_2 |j - i - middle|), or "power", -r_1 |j - i - middle|^r_2 (Chi et al. 2022, where the
/// middle is 0).
Matrix kerple_bias(std::size_t queries, std::size_t keys, Number r_1, Number r_2, const std::string& form,
                   Number middle);

struct FireRule {
    Number c = 0.1, L = 512;
    Row W_1, b_1;  ///< [hidden]
    Matrix W_2;    ///< [hidden, h]
    Row b_2;       ///< [h]
};
/// What WavLM makes of the number d of a bucket for a query: d + u d + (1 - u) r with r = c g d, where 1 - u
/// and g are sigmoids of the two columns of x W + b, x [1, d / h] the head's part of its token (Chen et al.
/// 2022).
Number gated_bias(Number of_bucket, const Row& x, const Matrix& W, const Row& b, Number c);

/// f_h(psi(|i - j|) / psi(max(i, L))), psi(x) = ln(c x + 1), f one hidden layer of ReLUs (Li et al. 2024).
Matrix fire_bias(std::size_t queries, std::size_t keys, const FireRule& rule, std::size_t head);

/// r_i . D[i - j] with r_i = x_i W, the head's own columns of W; D [curves, L] has a number for each of the
/// places from the own one back; for other pairs 0.
Matrix distance_curves_bias(const Head& head, const Matrix& W, const Matrix& D);

/// ln of the product of sigmoid(y_t . w_f + b_f) over the tokens t after the earlier one of the pair, up to
/// the later one (Lin et al. 2025).
Matrix forgetting_bias(const Head& head, const Matrix& W_f, const Row& b_f);

/// Sum of log sigmoid(q'_i . k'_t / sqrt w) over the tokens j <= t < i, q' and k' of the head's columns
/// (x-transformers, PerRowDataDependentAlibi).
Matrix pair_forgetting_bias(const Head& head, const Matrix& to_queries, const Matrix& to_keys,
                            std::size_t width);

/// q_i . e[p], p the sum of the sigmoids of the scaled scores from j on, over keys that i may see, between
/// columns of e by their distance from p (Golovneva et al. 2024, section 4).
Matrix cope_bias(const Head& head, const Matrix& scaled_scores, const Matrix& e, bool everything_open);

}  // namespace headlight::reference
