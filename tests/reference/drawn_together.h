#pragma once

#include "tests/reference/normalizers.h"

namespace headlight::reference {

// Sparsemax of scores that a penalty has drawn together (Niculae and Blondel 2017). Keys that are not allowed are
// left out of the row: their neighbours are one another's.

/// argmin over the simplex of |p - s / t|^2 / 2 + strength sum |p_j - p_(j+1)|: neighbours whose scores meet while
/// the strength grows from 0 are one from then on (Friedman et al. 2007, the path of the fused lasso).
Row fusedmax(const Row& scores, const Mask& allowed, Number temperature, Number strength);

/// The same with strength sum max(p_i, p_j) over all pairs: of m scores the k-th largest loses strength (m - k),
/// and blocks that are then out of order are put together (pool adjacent violators).
Row oscarmax(const Row& scores, const Mask& allowed, Number temperature, Number strength);

}  // namespace headlight::reference
