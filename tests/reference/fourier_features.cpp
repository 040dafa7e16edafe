#include "tests/reference/fourier_features.h"

#include "tests/reference/linear_mixers.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

/// cos(w . (x - y)) averaged over the directions w.
Number mean_cosine(const Matrix& directions, const Row& x, const Row& y) {
    Number sum = 0;
    for (std::size_t r = 0; r < directions.rows; ++r) {
        Number angle = 0;
        for (std::size_t c = 0; c < x.size(); ++c)
            angle += directions(r, c) * (x[c] - y[c]);
        sum += std::cos(angle);
    }
    return sum / static_cast<Number>(directions.rows);
}

/// ln of (1 - g) of the key and of the gates after it that are not padding.
Number log_recency(const Head& head, const Row& numbers, std::size_t key, std::size_t last) {
    Number sum = -softplus(numbers[key]);
    for (std::size_t t = key + 1; t <= last; ++t)
        if (std::ranges::any_of(head.allowed, [&](const auto& row) { return row[t]; }))
            sum -= softplus(-numbers[t]);
    return sum;
}

}  // namespace

HeadResult fourier_features(const Head& head, const FourierFeatures& rule) {
    const Matrix queries = unit_rows(head.q), keys = unit_rows(head.k);
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        std::vector<std::size_t> seen;
        for (std::size_t j = 0; j < head.k.rows; ++j)
            if (head.allowed[i][j])
                seen.push_back(j);
        if (seen.empty())
            continue;
        Row logs(head.k.rows, Number(0));
        Number largest = -INFINITY, sum = 0;
        for (const std::size_t j : seen) {
            if (!rule.gate_numbers.empty())
                logs[j] = log_recency(head, rule.gate_numbers, j, seen.back());
            largest = std::max(largest, logs[j]);
        }
        for (const std::size_t j : seen) {
            result.weights(i, j) =
                mean_cosine(rule.directions, queries.row(i), keys.row(j)) * std::exp(logs[j] - largest);
            sum += result.weights(i, j);
        }
        for (const std::size_t j : seen) {
            result.weights(i, j) /= sum;
            for (std::size_t c = 0; c < head.v.cols; ++c)
                result.context(i, c) += result.weights(i, j) * head.v(j, c);
        }
    }
    return result;
}

}  // namespace headlight::reference
