#include "tests/reference/shaped.h"

#include <algorithm>

namespace headlight::reference {

Matrix shaped_weights(const Matrix& A, const Allowed& allowed, Number alpha, Number beta, Number gamma) {
    Matrix weights(A.rows, A.cols);
    for (std::size_t i = 0; i < A.rows; ++i) {
        const auto seen = std::count(allowed[i].begin(), allowed[i].end(), true);
        for (std::size_t j = 0; j < A.cols; ++j)
            if (allowed[i][j])
                weights(i, j) =
                    beta * A(i, j) + (i == j ? alpha : Number(0)) - gamma / static_cast<Number>(seen);
    }
    return weights;
}

}  // namespace headlight::reference
