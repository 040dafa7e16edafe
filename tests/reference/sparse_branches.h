#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct SparseBranches {
    std::size_t block = 2, selected = 2, window = 2;
    std::size_t kv_heads = 1;
    Matrix gate;    ///< [d, 3 h]
    Row gate_bias;  ///< [3 h]
    WeighScores weigh;
};

/// Native sparse attention (Yuan et al. 2025, equations 5 to 12), the mean of a block as its compression: the
/// three branches as three full attentions with masks of their own.
std::vector<HeadResult> sparse_branches(const std::vector<Head>& heads, const SparseBranches& setting);

}  // namespace headlight::reference
