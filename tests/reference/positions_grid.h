#pragma once

#include "tests/reference/matrix.h"

#include <cstddef>
#include <vector>

namespace headlight::reference {

/// B[(dy + w - 1)(2w - 1) + dx + w - 1] of a head, (dy, dx) the query's row and column minus the key's, moved
/// to the nearest that a window of w x w cells has (Liu et al. 2021, section 3.2). table [(2w - 1)^2, h].
Matrix grid_table_bias(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t window,
                       const Matrix& table, std::size_t head);

struct ContinuousRule {
    std::size_t columns = 1;
    /// 0: G(sign(d) ln(1 + |d|)) as in the paper; else the window of the released code: 16 sigmoid of G, d
    /// first times 8 / (w - 1), and then logarithms of base 2, over 3.
    std::size_t released_window = 0;
    Matrix W_1;  ///< [2, hidden]
    Row b_1;     ///< [hidden]
    Matrix W_2;  ///< [hidden, h]
};
/// A network with one hidden layer of ReLUs of the logarithms of both offsets (Liu et al. 2022, section 3.3).
Matrix continuous_bias(std::size_t queries, std::size_t keys, const ContinuousRule& rule, std::size_t head);

struct OffsetNetwork {
    std::size_t columns = 0;  ///< 0: of places on a line
    bool logarithmic = false;
    bool is_relu = false;      ///< else x sigmoid(x)
    std::vector<Matrix> W;     ///< of each layer [inputs, hidden]
    std::vector<Row> b, g, s;  ///< g and s of the layer norms; empty: none
    Matrix W_out;              ///< [hidden, h]
    Row b_out;                 ///< [h]
};
/// The network's number for the offset from key to query (Wang et al. 2022, section 3.3).
Matrix dynamic_bias(std::size_t queries, std::size_t keys, const OffsetNetwork& network, std::size_t head);

/// sum_c softplus(q_c) softplus(k_c) cos((i - j) base^(-c/d) - delta_c), c from 0, delta_c held between -2 pi
/// and 0 (Gopalakrishnan et al. 2025).
Matrix pope_scores(const Matrix& q, const Matrix& k, const Row& delta, Number base);

}  // namespace headlight::reference
