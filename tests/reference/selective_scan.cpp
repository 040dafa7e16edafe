#include "tests/reference/selective_scan.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

/// What the queries read of channel `channel`, where token t brings `inputs(t, column)`: [n, columns].
Matrix scanned(const Head& head, const Matrix& steps, const Matrix& rates, std::size_t channel,
               const Matrix& inputs) {
    const std::size_t m = head.k.rows, d = head.k.cols, columns = inputs.cols;
    Matrix state(d, columns);
    std::vector<Matrix> after{state};
    for (std::size_t t = 0; t < m; ++t) {
        const Number step = steps(t, channel);
        for (std::size_t a = 0; a < d; ++a)
            for (std::size_t c = 0; c < columns; ++c)
                state(a, c) =
                    std::exp(-step * rates(channel, a)) * state(a, c) + step * head.k(t, a) * inputs(t, c);
        after.push_back(state);
    }
    Matrix result(head.q.rows, columns);
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const auto seen = static_cast<std::size_t>(std::ranges::count(head.allowed[i], true));
        for (std::size_t a = 0; a < d; ++a)
            for (std::size_t c = 0; c < columns; ++c)
                result(i, c) += head.q(i, a) * after[seen](a, c);
    }
    return result;
}

}  // namespace

HeadResult selective_scan(const Head& head, const Matrix& steps, const Matrix& rates) {
    const std::size_t n = head.q.rows, m = head.k.rows, width = head.v.cols;
    HeadResult result{Matrix(n, m), Matrix(n, width)};
    Matrix units(m, m);
    for (std::size_t t = 0; t < m; ++t)
        units(t, t) = 1;
    for (std::size_t channel = 0; channel < width; ++channel) {
        Matrix values(m, 1);
        for (std::size_t t = 0; t < m; ++t)
            values(t, 0) = head.v(t, channel);
        const Matrix map = scanned(head, steps, rates, channel, units);
        const Matrix read = scanned(head, steps, rates, channel, values);
        for (std::size_t i = 0; i < n; ++i) {
            result.context(i, channel) = read(i, 0);
            for (std::size_t j = 0; j < m; ++j)
                result.weights(i, j) += map(i, j) / static_cast<Number>(width);
        }
    }
    return result;
}

}  // namespace headlight::reference
