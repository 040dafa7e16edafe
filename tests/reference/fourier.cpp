#include "tests/reference/fourier.h"

#include <cmath>

namespace headlight::reference {

HeadResult fourier_mixing(const Head& head) {
    const std::size_t n = head.q.rows, d = head.q.cols;
    const Number whole_turn = 2 * std::acos(-Number(1));
    const auto turns = [](std::size_t steps, std::size_t size) {
        return static_cast<Number>(steps) / static_cast<Number>(size);
    };
    HeadResult result{Matrix(n, n), Matrix(n, d)};
    for (std::size_t t = 0; t < n; ++t)
        for (std::size_t j = 0; j < n; ++j) {
            result.weights(t, j) = std::cos(whole_turn * turns(t * j, n));
            for (std::size_t c = 0; c < d; ++c)
                for (std::size_t e = 0; e < d; ++e)
                    result.context(t, c) +=
                        head.q(j, e) * std::cos(whole_turn * (turns(t * j, n) + turns(c * e, d)));
        }
    return result;
}

}  // namespace headlight::reference
