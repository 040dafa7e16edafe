#pragma once

#include "tests/reference/masks.h"
#include "tests/reference/matrix.h"

namespace headlight::reference {

/// Pairs of a query and a key that lie in one block in some round, a column of `directions` [d + 2, rounds].
/// Queries [q, sqrt(M - |q|^2), 0] and keys [k, 0, sqrt(M - |k|^2)], M = max |q|^2 + max |k|^2, are put in
/// the order of their product with it, the largest first, and cut into `clusters` blocks of equal size (Daras
/// et al. 2020, section 3). They are over the largest number of all, and products count to a millionth.
Allowed in_one_balanced_block(const Matrix& q, const Matrix& k, const Allowed& allowed,
                              const Matrix& directions, std::size_t clusters);

}  // namespace headlight::reference
