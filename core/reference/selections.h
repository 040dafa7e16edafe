#pragma once

#include "core/reference/masks.h"
#include "core/reference/matrix.h"

namespace headlight::reference {

/// Allowed keys with fewer than k allowed keys of a larger score in their row (Zhao et al. 2019): ties with
/// the k-th stay.
Allowed top_k(const Matrix& scores, const Allowed& allowed, std::size_t k);

}  // namespace headlight::reference
