#include "tests/reference/solved_values.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <cmath>

namespace headlight::reference {
namespace {

/// Softmax of a_t . k_j / sqrt d over the keys j < end that query t sees.
Row softmax_before(const Head& head, const Matrix& a, std::size_t t, std::size_t end) {
    const Number root = std::sqrt(static_cast<Number>(head.k.cols));
    Row scores;
    std::vector<bool> seen;
    for (std::size_t j = 0; j < head.k.rows; ++j) {
        scores.push_back(product_of_rows(a, t, head.k, j) / root);
        seen.push_back(j < end && head.allowed[t][j]);
    }
    return softmax(scores, seen, 1);
}

/// Row t of a map, and what it makes of the values.
void set_row(const Head& head, std::size_t t, const Row& weights, HeadResult& result) {
    for (std::size_t s = 0; s < weights.size(); ++s) {
        result.weights(t, s) = weights[s];
        for (std::size_t c = 0; c < head.v.cols && weights[s] != 0; ++c)
            result.context(t, c) += weights[s] * head.v(s, c);
    }
}

}  // namespace

HeadResult deltaformer(const Head& head, const Row& beta, bool compares_keys) {
    const std::size_t n = head.q.rows;
    HeadResult result{Matrix(n, n), Matrix(n, head.v.cols)};
    std::vector<Row> stored;
    for (std::size_t t = 0; t < n; ++t) {
        const Row found = softmax_before(head, compares_keys ? head.k : head.q, t, t);
        Row own(n, Number(0));
        own[t] = 1;
        for (std::size_t j = 0; j < t; ++j)
            for (std::size_t s = 0; s <= j; ++s)
                own[s] -= beta[t] * found[j] * stored[j][s];
        stored.push_back(own);

        const Row read = softmax_before(head, head.q, t, t + 1);
        Row weights(n, Number(0));
        for (std::size_t j = 0; j <= t; ++j)
            for (std::size_t s = 0; s <= j; ++s)
                weights[s] += read[j] * stored[j][s];
        set_row(head, t, weights, result);
    }
    return result;
}

HeadResult lucid(const Head& head) {
    const std::size_t n = head.q.rows;
    const Number root = std::sqrt(static_cast<Number>(head.k.cols));
    Matrix keys = unit_rows(head.k);
    for (Number& number : keys.values)
        number *= root;
    HeadResult result{Matrix(n, n), Matrix(n, head.v.cols)};
    for (std::size_t t = 0; t < n; ++t) {
        Row weights = softmax_before(head, head.q, t, t + 1);
        for (std::size_t j = t + 1; j-- > 0;)
            for (std::size_t i = j + 1; i <= t; ++i)
                weights[j] -= weights[i] * std::exp(product_of_rows(keys, i, keys, j) / root - root);
        set_row(head, t, weights, result);
    }
    return result;
}

}  // namespace headlight::reference
