#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct PooledGates {
    std::size_t size = 1;
    bool keeps_best = false;  ///< so many blocks, else those above the threshold
    Number threshold = 0;
    std::size_t blocks = 1, dense = 0;
    bool has_places = true;  ///< turned by the place of a block's first token
    Number base = 10000;
    bool is_one_sequence = true;  ///< queries are padding where keys are
    Matrix to_gate;               ///< [3 d, d] of the head
};
/// Keys of the blocks that a block of queries keeps by softmax(mean q . [max k, min k, mean k] W / sqrt(d)),
/// from queries and keys as they were projected; the last `dense` blocks of queries keep all (SeerAttention,
/// Gao et al. 2025).
Allowed pooled_gates(const Matrix& q, const Matrix& k, const Allowed& allowed, const PooledGates& gates);

}  // namespace headlight::reference
