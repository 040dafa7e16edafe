#include "tests/reference/castle.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <cmath>

namespace headlight::reference {
namespace {

Number silu(Number x) { return x * sigmoid(x); }

/// One part of the lookahead in one head, [n, d_k].
Matrix part(const Head& head, const Matrix& weight, std::size_t heads) {
    return columns_of_head(project(head.x, {weight, {}}), head.number, heads);
}

}  // namespace

HeadResult castle_attention(const Head& head, const Castle& castle) {
    const std::size_t n = head.q.rows, d = head.q.cols;
    const Number root = std::sqrt(static_cast<Number>(d));
    const Matrix q_u = part(head, castle.to_query, castle.heads),
                 k_u = part(head, castle.to_key, castle.heads),
                 v_u = part(head, castle.to_value, castle.heads);
    Matrix opening(n, n);
    for (std::size_t s = 0; s < n; ++s)
        for (std::size_t j = s + 1; j < n; ++j)
            opening(s, j) = sigmoid(product_of_rows(q_u, s, k_u, j) / root);

    HeadResult result{Matrix(n, n), Matrix(n, head.v.cols)};
    for (std::size_t t = 0; t < n; ++t) {
        Row scores;
        std::vector<bool> seen;
        for (std::size_t s = 0; s < n; ++s) {
            Row lookahead_key(d, Number(0));
            for (std::size_t j = s + 1; j <= t; ++j)
                for (std::size_t c = 0; c < d && head.allowed[t][j]; ++c)
                    lookahead_key[c] += opening(s, j) * v_u(j, c);
            seen.push_back(s <= t && head.allowed[t][s]);
            scores.push_back(product_of_rows(head.q, t, head.k, s) / root -
                             silu(product(head.q.row(t), lookahead_key) / root));
        }
        const Row weights = softmax(scores, seen, 1);
        for (std::size_t s = 0; s < n; ++s) {
            result.weights(t, s) = weights[s];
            for (std::size_t c = 0; c < head.v.cols && weights[s] != 0; ++c)
                result.context(t, c) += weights[s] * head.v(s, c);
        }
    }
    return result;
}

}  // namespace headlight::reference
