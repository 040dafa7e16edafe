#include "tests/reference/polarity.h"

#include "tests/reference/learned_features.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {

HeadResult polarity(const Head& head, const Polarity& setting) {
    const std::size_t d = head.q.cols, half = head.v.cols / 2;
    /// Feature c of x, `sign` 1 or -1, to its power; 0 where x lies on the other side.
    const auto part = [&](const Matrix& x, std::size_t row, std::size_t c, Number sign) {
        const Number scale = std::log1p(std::exp(setting.scales[c]));
        const Number power = 1 + setting.reach / (1 + std::exp(-setting.powers[c]));
        return std::pow(std::max(sign * x(row, c) / scale, Number(0)), power);
    };
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const auto n = static_cast<Number>(std::ranges::count(head.allowed[i], true));
        for (const Number side : {Number(1), Number(-1)}) {  // like signs, then unlike ones
            Row products(head.k.rows, 0);
            Number mean = 0;
            for (std::size_t j = 0; j < head.k.rows; ++j)
                if (head.allowed[i][j]) {
                    for (std::size_t c = 0; c < d; ++c)
                        products[j] += part(head.q, i, c, side) * part(head.k, j, c, 1) +
                                       part(head.q, i, c, -side) * part(head.k, j, c, -1);
                    mean += products[j] / n;
                }
            for (std::size_t j = 0; j < head.k.rows; ++j) {
                if (!head.allowed[i][j])
                    continue;
                const Number weight = products[j] / n / (mean + Number(1e-6));
                result.weights(i, j) += weight / 2;
                for (std::size_t c = 0; c < half; ++c) {
                    const std::size_t feature = side > 0 ? c : half + c;
                    result.context(i, feature) += weight * head.v(j, feature);
                }
            }
        }
    }
    add_filtered_values(head, setting.filter, result.context);
    for (std::size_t i = 0; i < head.q.rows && setting.gate; ++i)
        for (std::size_t c = 0; c < head.v.cols; ++c)
            result.context(i, c) *= (*setting.gate)(i, c);
    return result;
}

}  // namespace headlight::reference
