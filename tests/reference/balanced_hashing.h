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

/// The same of one order, in that of a Gray code of the signs of the products with the directions [d, signs]:
/// the last direction is the highest bit (Han et al. 2024).
Matrix shared_blocks_by_signs(const Matrix& q, const Matrix& k, const Allowed& allowed,
                              const Matrix& directions, std::size_t clusters);

/// How often each of m keys is drawn, of those that some query sees, each with one chance (Han et al. 2024):
/// draw t is the child t of the seed.
Row drawn_keys(const Allowed& allowed, std::size_t keys, std::size_t samples, std::uint64_t seed);
/// Each key's chance in proportion to |(v, 1)| / s^2 + 1 / m, s the largest singular value of all (v, 1) by
/// 20 rounds of the power method from ones, as in the code of Zandieh et al. 2023; 0 of keys that nobody
/// sees.
Row chances_by_values(const Allowed& allowed, const Matrix& values);
/// How often each key is drawn by these.
Row drawn_by_chances(const Row& chances, std::size_t samples, std::uint64_t seed);
/// Softmax weights, each key counted in every round in which both share a block, or once, and, outside of
/// these, so often as it was drawn times what a drawn one `stands_for`.
Matrix counted_weights(const Matrix& weights, const Matrix& shared, const Row& drawn, const Row& stands_for,
                       bool counts_rounds);

}  // namespace headlight::reference
