#include "tests/reference/linear_attention.h"

#include <cmath>

namespace headlight::reference {
namespace {

Number elu_plus_one(Number x) { return x > 0 ? x + 1 : std::exp(x); }

}  // namespace

HeadResult linear_attention(const Head& head) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        Number sum = 0;
        for (std::size_t j = 0; j < head.k.rows; ++j)
            if (head.allowed[i][j]) {
                for (std::size_t c = 0; c < head.q.cols; ++c)
                    result.weights(i, j) += elu_plus_one(head.q(i, c)) * elu_plus_one(head.k(j, c));
                sum += result.weights(i, j);
            }
        for (std::size_t j = 0; j < head.k.rows && sum > 0; ++j) {
            result.weights(i, j) /= sum;
            for (std::size_t c = 0; c < head.v.cols; ++c)
                result.context(i, c) += result.weights(i, j) * head.v(j, c);
        }
    }
    return result;
}

}  // namespace headlight::reference
