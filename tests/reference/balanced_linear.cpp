#include "tests/reference/balanced_linear.h"

#include "tests/reference/learned_features.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

Row features_of(const Row& x, BalancedLinear::Map map) {
    using enum BalancedLinear::Map;
    Row features;
    for (const Number each : x)
        features.push_back(map == identity ? each
                           : map == relu   ? std::max(each, Number(0))
                           : each > 0      ? each + 1
                                           : std::exp(each));
    return features;
}

}  // namespace

HeadResult balanced_linear(const Head& head, const BalancedLinear& setting) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const auto n = static_cast<Number>(std::ranges::count(head.allowed[i], true));
        const Row query = features_of(head.q.row(i), setting.map);
        Row products(head.k.rows, 0);
        Number sum = 0;
        for (std::size_t j = 0; j < head.k.rows; ++j)
            if (head.allowed[i][j]) {
                products[j] = product(query, features_of(head.k.row(j), setting.map));
                if (setting.is_scaled)
                    products[j] /= n * std::sqrt(static_cast<Number>(head.q.cols));
                sum += products[j];
            }
        for (std::size_t j = 0; j < head.k.rows; ++j) {
            if (!head.allowed[i][j])
                continue;
            if (setting.by_magnitude) {
                const Number beta = 1 + 1 / sum, gamma = sum / n;
                result.weights(i, j) = beta * products[j] - gamma;
            } else {
                result.weights(i, j) = products[j] - sum / n + 1 / n;
            }
            for (std::size_t c = 0; c < head.v.cols; ++c)
                result.context(i, c) += result.weights(i, j) * head.v(j, c);
        }
    }
    add_filtered_values(head, setting.filter, result.context);
    return result;
}

}  // namespace headlight::reference
