#include "tests/reference/parallax.h"

namespace headlight::reference {

Matrix parallax_weights(const Head& head, const Matrix& p, const Matrix& W_r, Number strength) {
    const std::size_t width = head.k.cols;
    const Matrix projected = project(head.x, {W_r, {}});
    Matrix weights(p.rows, p.cols);
    for (std::size_t i = 0; i < p.rows; ++i) {
        Row s(p.cols);
        for (std::size_t j = 0; j < p.cols; ++j) {
            for (std::size_t c = 0; c < width && p(i, j) != 0; ++c)  // padding may hold anything
                s[j] += strength * projected(i, head.number * width + c) * head.k(j, c);
        }
        for (std::size_t j = 0; j < p.cols; ++j) {
            Number factor = 1;  // 1 + E[s] - s_j, each s less s_j
            for (std::size_t k = 0; k < p.cols; ++k)
                factor += p(i, k) * (s[k] - s[j]);
            weights(i, j) = p(i, j) == 0 ? 0 : p(i, j) * factor;
        }
    }
    return weights;
}

}  // namespace headlight::reference
