#include "tests/reference/hash_chances.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::reference {

HeadResult hash_chances(const Head& head, Number tau, bool normalized) {
    const std::size_t n = head.q.rows, m = head.k.rows, d = head.v.cols;
    constexpr Number half_turn = std::numbers::pi_v<Number>;
    HeadResult result{Matrix(n, m), Matrix(n, d)};
    const auto length = [](const Row& x) { return std::sqrt(product(x, x)); };
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < m; ++j) {
            if (!head.allowed[i][j])
                continue;
            const Row q = head.q.row(i), k = head.k.row(j);
            const Number lengths = length(q) * length(k);
            const Number cosine =
                lengths == 0 ? 0 : std::clamp(product(q, k) / lengths, Number(-1), Number(1));
            // Near 1 the cosine has lost the digits of the angle: that of two equal vectors is 0.
            const Number angle = q == k && lengths != 0 ? 0 : std::acos(cosine);
            result.weights(i, j) = std::pow(1 - angle / half_turn, tau);
            for (std::size_t c = 0; c < d; ++c)
                result.context(i, c) += result.weights(i, j) * head.v(j, c);
        }
        const Number size = length(result.context.row(i));
        for (std::size_t c = 0; c < d && normalized && size != 0; ++c)
            result.context(i, c) /= size;
    }
    return result;
}

}  // namespace headlight::reference
