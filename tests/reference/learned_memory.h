#pragma once

#include "tests/reference/attention.h"

// Memories that are linear models, trained to answer each key with its value while the text is read
// (Behrouz et al. 2025, Sun et al. 2025). Heads have keys of length 1. A query reads the memory that the
// newest token has left which it sees, its own or one before.
namespace headlight::reference {

struct Momentum {
    Row steps;    ///< [m]: beta, the size of each step
    Row momenta;  ///< [m]: eta; an empty one is all zeros
    Row losses;   ///< [m]: alpha, what the memory forgets; an empty one is all zeros
};
/// Z <- eta Z - beta k^T (k M - v), M <- (1 - alpha) M + Z, o = scale q M, token by token.
HeadResult memory_with_momentum(const Head& head, const Momentum& rule, Number scale);

/// W <- W - beta k^T (k W_b - v), W_b being W as a batch begins, o = scale q W, token by token; with `mean`
/// what the tokens of a batch have added so far counts as their mean.
HeadResult memory_by_batches(const Head& head, const Row& steps, std::size_t batch, bool mean, Number scale);

}  // namespace headlight::reference
