#include "tests/reference/near_and_far.h"

#include "tests/reference/softmax.h"

#include <cmath>

namespace headlight::reference {
namespace {

/// phi(a) . phi(b), phi(x) = elu(sign x) + 1
Number product_of_elus(const Row& a, const Row& b, int sign) {
    const auto elu_and_one = [sign](Number x) {
        const Number turned = static_cast<Number>(sign) * x;
        return turned > 0 ? turned + 1 : std::exp(turned);
    };
    Number sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c)
        sum += elu_and_one(a[c]) * elu_and_one(b[c]);
    return sum;
}

}  // namespace

HeadResult near_and_far(const Head& head, const NearAndFar& maps) {
    const std::size_t m = head.k.rows;
    HeadResult result{Matrix(head.q.rows, m), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const Row query = head.q.row(i);
        std::vector<bool> in_band;
        Row scores;
        for (std::size_t j = 0; j < m; ++j) {
            in_band.push_back(head.allowed[i][j] && j <= i + maps.reach && i <= j + maps.reach);
            scores.push_back(product(query, head.k.row(j)) / std::sqrt(static_cast<Number>(head.k.cols)));
        }
        const Row near = softmax(scores, in_band, 1);
        for (std::size_t j = 0; j < m; ++j)
            result.weights(i, j) = in_band[j] ? maps.near * near[j] : 0;
        for (std::size_t map = 0; map < maps.far.size(); ++map) {
            const int sign = map == 0 ? 1 : -1;
            Number sum = 0;
            for (std::size_t j = 0; j < m; ++j)
                sum += head.allowed[i][j] ? product_of_elus(query, head.k.row(j), sign) : 0;
            for (std::size_t j = 0; j < m; ++j)
                if (head.allowed[i][j])
                    result.weights(i, j) += maps.far[map] * product_of_elus(query, head.k.row(j), sign) / sum;
        }
        for (std::size_t j = 0; j < m; ++j)
            for (std::size_t c = 0; c < head.v.cols; ++c)
                result.context(i, c) += result.weights(i, j) * head.v(j, c);
    }
    return result;
}

}  // namespace headlight::reference
