#include "tests/reference/feature_attention.h"

#include "tests/reference/pair_scores.h"
#include "tests/reference/softmax.h"

namespace headlight::reference {
namespace {

Row feature_over_tokens(const Matrix& matrix, std::size_t c) {
    Row numbers;
    for (std::size_t r = 0; r < matrix.rows; ++r)
        numbers.push_back(matrix(r, c));
    return numbers;
}

}  // namespace

HeadResult cross_covariance(const Head& head, Number sharpness) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.q.cols)};
    for (std::size_t token = 0; token < head.q.rows; ++token)
        result.weights(token, token) = 1;
    for (std::size_t a = 0; a < head.q.cols; ++a) {
        Row scores;
        for (std::size_t b = 0; b < head.k.cols; ++b)
            scores.push_back(sharpness *
                             cosine_score(feature_over_tokens(head.q, a), feature_over_tokens(head.k, b)));
        const Row shares = softmax(scores, std::vector<bool>(scores.size(), true), 1);
        for (std::size_t token = 0; token < head.q.rows; ++token)
            for (std::size_t b = 0; b < head.v.cols; ++b)
                result.context(token, a) += shares[b] * head.v(token, b);
    }
    return result;
}

}  // namespace headlight::reference
