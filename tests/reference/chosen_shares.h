#pragma once

#include "tests/reference/masks.h"
#include "tests/reference/matrix.h"

namespace headlight::reference {

// Selections that choose by the weights of a softmax, of all keys or of a cheap guess. Each returns the keys
// that stay; `allowed` are those that the mask lets a query see.

/// Twilight (Lin et al. 2025, definition 3.3): the fewest keys whose weights come to p, the largest first.
Allowed top_p(const Matrix& scores, const Allowed& allowed, Number p, Number temperature);

/// SparQ (Ribar et al. 2024, algorithm 1).
struct Sparq {
    std::size_t numbers = 0, keys = 0;  ///< r and k
};
struct SparqKeys {
    Allowed kept;
    Row read_share;  ///< alpha of each query
};
SparqKeys sparq(const Matrix& q, const Matrix& k, const Allowed& allowed, const Sparq& sparq);
/// alpha of the weights, and 1 - alpha shared by all allowed keys.
Matrix with_mean_value(const Matrix& weights, const Allowed& allowed, const Row& read_share);

/// MInference (Jiang et al. 2024, algorithms 2 and 3, and the A-shape of section 3).
struct PrefillPatterns {
    std::size_t last = 0, columns = 0, diagonals = 0, first = 0, recent = 0, size = 0, blocks = 0;
    Number temperature = 1;
};
Allowed a_shape(const Allowed& allowed, const PrefillPatterns& patterns);
Allowed vertical_slash(const Matrix& scores, const Allowed& allowed, const PrefillPatterns& patterns);
Allowed pooled_blocks(const Matrix& q, const Matrix& k, const Allowed& allowed,
                      const PrefillPatterns& patterns);

/// XAttention (Xu et al. 2025, algorithm 1, with the first and the own block of the authors' code).
struct Antidiagonals {
    std::size_t stride = 0, groups = 0;
    Number p = 0, temperature = 1;
    bool keeps_ends = false, is_one_sequence = false;
};
Allowed antidiagonals(const Matrix& scores, const Allowed& allowed, const Antidiagonals& setting);

}  // namespace headlight::reference
