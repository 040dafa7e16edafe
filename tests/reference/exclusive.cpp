#include "tests/reference/exclusive.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <cmath>

namespace headlight::reference {

HeadResult exclusive_attention(const Head& head) {
    const std::size_t n = head.q.rows, width = head.v.cols;
    HeadResult result{Matrix(n, n), Matrix(n, width)};
    for (std::size_t i = 0; i < n; ++i) {
        Row scores;
        for (std::size_t j = 0; j < n; ++j)
            scores.push_back(product_of_rows(head.q, i, head.k, j) /
                             std::sqrt(static_cast<Number>(head.q.cols)));
        const Row weights = softmax(scores, head.allowed[i], 1);
        Row output(width, Number(0));
        for (std::size_t j = 0; j < n; ++j) {
            result.weights(i, j) = weights[j];
            for (std::size_t c = 0; c < width; ++c)
                output[c] += weights[j] * head.v(j, c);
        }
        const Row own = head.v.row(i);
        const Number squares = product(own, own);
        const Number along = squares > 0 ? product(output, own) / squares : 0;
        for (std::size_t c = 0; c < width; ++c)
            result.context(i, c) = output[c] - along * own[c];
    }
    return result;
}

}  // namespace headlight::reference
