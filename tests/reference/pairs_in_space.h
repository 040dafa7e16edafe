#pragma once

#include "tests/reference/attention.h"

// Places that attention to proteins has: columns of an alignment, and points in space.
namespace headlight::reference {

/// sum_cd mean_r((x_ri A)_c (x_rj B)_d) W_cd of the columns i and j of an alignment, over its rows r that
/// have both (Jumper et al. 2021, algorithms 7 and 10). A token that nobody reads counts as zeros.
struct OuterProduct {
    std::size_t columns = 1;
    Matrix first, second;  ///< A and B, [d, width]
    Matrix pairs;          ///< W of one head [width, width]
};
Matrix outer_product_bias(const Matrix& x, const OuterProduct& given, const std::vector<bool>& is_read);

/// Frames T and points of one head (Jumper et al. 2021, algorithms 22 and 23).
struct InvariantPoints {
    Matrix frame;                    ///< [d, 7]
    Row shift;                       ///< [7]
    Matrix asked, offered, given;    ///< [d, 3 points]: all first coordinates, all second, all third
    Number rate = 1;                 ///< before softplus
    Matrix to_context;               ///< [4 points of values, d_v]
    Matrix first = {}, second = {};  ///< [d, pairs]: pairs have the products of both; empty: none
    Row of_pair = {};                ///< [pairs]: what they add to a score
    Matrix pairs_to_context = {};    ///< [pairs, d_v]
};
/// -softplus(rate) sqrt(2 / (9 points)) / 2 sum_p |T_i q_p - T_j k_p|^2, times sqrt(1/2); with pairs that and
/// what they add, times sqrt(1/3).
Matrix distance_bias(const Matrix& x, const InvariantPoints& points);
/// T_i^-1 sum_j a_ij T_j v_p and their lengths, through the matrix, and the means of the pairs through
/// theirs.
Matrix points_found(const Matrix& x, const Matrix& weights, const InvariantPoints& points);

}  // namespace headlight::reference
