#include "tests/reference/channel_mixers.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <cmath>

namespace headlight::reference {
namespace {

HeadResult by_channel(const Head& head,
                      const std::function<Number(std::size_t i, std::size_t j, std::size_t c)>& exponent) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i)
        for (std::size_t c = 0; c < head.v.cols; ++c) {
            Row exponents(head.k.rows, Number(0));
            for (std::size_t j = 0; j < head.k.rows; ++j)
                if (head.allowed[i][j])
                    exponents[j] = exponent(i, j, c);
            const Row weights = softmax(exponents, head.allowed[i], 1);
            for (std::size_t j = 0; j < head.k.rows; ++j)
                if (head.allowed[i][j]) {
                    result.weights(i, j) += weights[j] / static_cast<Number>(head.v.cols);
                    result.context(i, c) += weights[j] * head.v(j, c) / (1 + std::exp(-head.q(i, c)));
                }
        }
    return result;
}

}  // namespace

HeadResult rwkv4(const Head& head, const Row& decay, const Row& bonus) {
    return by_channel(head, [&](std::size_t i, std::size_t j, std::size_t c) {
        std::size_t newest = 0;
        for (std::size_t key = 0; key < head.k.rows; ++key)
            if (head.allowed[i][key])
                newest = key;
        return j == newest ? bonus[c] + head.k(j, c)
                           : head.k(j, c) - static_cast<Number>(newest - 1 - j) * decay[c];
    });
}

HeadResult attention_free(const Head& head, const Matrix& biases) {
    return by_channel(head, [&](std::size_t i, std::size_t j, std::size_t c) {
        return head.k(j, c) + (biases.rows == 0 ? 0 : biases(i, j));
    });
}

HeadResult laser(const Head& head) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        std::vector<std::size_t> seen;
        Row scores;
        for (std::size_t j = 0; j < head.k.rows; ++j) {
            scores.push_back(product_of_rows(head.q, i, head.k, j) /
                             std::sqrt(static_cast<Number>(head.k.cols)));
            if (head.allowed[i][j])
                seen.push_back(j);
        }
        const Row weights = softmax(scores, head.allowed[i], 1),
                  logarithms = log_softmax(scores, head.allowed[i]);
        for (const std::size_t j : seen)
            result.weights(i, j) = weights[j];
        for (std::size_t c = 0; c < head.v.cols && !seen.empty(); ++c) {
            std::size_t largest = seen.front();
            for (const std::size_t j : seen)
                if (logarithms[j] + head.v(j, c) > logarithms[largest] + head.v(largest, c))
                    largest = j;
            const Number value = head.v(largest, c);
            Number sum = 0, rest = 0;
            for (const std::size_t j : seen) {
                const Number above = head.v(j, c) - value;
                sum += std::exp(logarithms[j] - logarithms[largest] + above);
                rest += std::abs(above) < 1 ? weights[j] * std::expm1(above)
                                            : std::exp(logarithms[j] + above) - weights[j];
            }
            const Number below =
                logarithms[largest] + std::log(sum);  // with few digits where it is next to 0
            result.context(i, c) = value + (below < -1 ? below : std::log1p(rest));
        }
    }
    return result;
}

}  // namespace headlight::reference
