#include "tests/reference/channel_mixers.h"

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

}  // namespace headlight::reference
