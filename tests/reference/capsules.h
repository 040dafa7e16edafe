#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// Routing by agreement (Sabour et al. 2017, procedure 1): the queries are the parents, the values the
/// children. Child j says u_ij = v_j W_i to parent i; c_.j = softmax of b_.j over the parents, s_i = sum_j
/// c_ij u_ij, o_i = |s_i|^2 / (1 + |s_i|^2) s_i / |s_i|, b_ij += u_ij . o_i. Parent i has the matrix number i
/// modulo as many as there are, [d_v, d_v] each. The weights are c.
HeadResult capsules(const Head& head, const std::vector<Matrix>& of_parents, std::size_t rounds);

}  // namespace headlight::reference
