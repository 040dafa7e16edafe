#pragma once

#include "tests/reference/matrix.h"

namespace headlight::reference {

/// y = x W + b with W stored [in, out]; an empty `bias` is none.
struct Linear {
    Matrix weight;
    Row bias;
};

/// [rows, in] -> [rows, out].
Matrix project(const Matrix& x, const Linear& linear);

/// The columns that head `head` of `heads` works on: contiguous blocks of equal width (Vaswani et al.
/// 2017, 3.2.2; a fused W_q is the blocks W_q^1 ... W_q^h side by side).
Matrix columns_of_head(const Matrix& x, std::size_t head, std::size_t heads);

}  // namespace headlight::reference
