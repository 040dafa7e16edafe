#include "tests/reference/projection.h"

namespace headlight::reference {

Matrix project(const Matrix& x, const Linear& linear) {
    Matrix y(x.rows, linear.weight.cols);
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t out = 0; out < linear.weight.cols; ++out) {
            Number sum = linear.bias.empty() ? Number(0) : linear.bias[out];
            for (std::size_t in = 0; in < x.cols; ++in)
                sum += x(r, in) * linear.weight(in, out);
            y(r, out) = sum;
        }
    return y;
}

Matrix columns_of_head(const Matrix& x, std::size_t head, std::size_t heads) {
    const std::size_t width = x.cols / heads;
    Matrix part(x.rows, width);
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < width; ++c)
            part(r, c) = x(r, head * width + c);
    return part;
}

}  // namespace headlight::reference
