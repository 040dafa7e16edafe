#pragma once

#include "tests/reference/masks.h"
#include "tests/reference/matrix.h"

#include <cstdint>

namespace headlight::reference {

/// In how many rounds, the columns of `directions` [d + 2, rounds], a query and a key lie in one block, [n,
/// m]. Queries [q, sqrt(M - |q|^2), 0] and keys [k, 0, sqrt(M - |k|^2)], M = max |q|^2 + max |k|^2, are put
/// in the order of their product with it, the largest first, and cut into `clusters` blocks of equal size
/// (Daras et al. 2020, section 3). They are over the largest number of all, and products count to a
/// millionth.
Matrix shared_balanced_blocks(const Matrix& q, const Matrix& k, const Allowed& allowed,
                              const Matrix& directions, std::size_t clusters);

/// How often each of m keys is drawn, of those that some query sees, each with one chance (Han et al. 2024):
/// draw t is the child t of the seed.
Row drawn_keys(const Allowed& allowed, std::size_t keys, std::size_t samples, std::uint64_t seed);
/// Softmax weights, each key counted in every round in which both share a block, or once, and, outside of
/// these, for each of the `samples` times that it was drawn as often as there are keys for each draw.
Matrix counted_weights(const Matrix& weights, const Matrix& shared, const Row& drawn, Number stands_for,
                       bool counts_rounds);

}  // namespace headlight::reference
