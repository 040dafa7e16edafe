#include "tests/reference/capsules.h"

#include "tests/reference/softmax.h"

#include <cmath>

namespace headlight::reference {
namespace {

Row squash(const Row& sum) {
    Number squares = 0;
    for (const Number number : sum)
        squares += number * number;
    Row result;
    for (const Number number : sum)
        result.push_back(squares == 0 ? 0 : squares / (1 + squares) * number / std::sqrt(squares));
    return result;
}

}  // namespace

HeadResult capsules(const Head& head, const std::vector<Matrix>& of_parents, std::size_t rounds) {
    const std::size_t n = head.q.rows, m = head.v.rows, d = head.v.cols;
    const auto is_child = [&](std::size_t j) { return head.allowed.front()[j]; };
    // [parent][child]
    std::vector<std::vector<Row>> votes(n, std::vector<Row>(m, Row(d, 0)));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j)
            for (std::size_t c = 0; c < d && is_child(j); ++c)
                for (std::size_t to = 0; to < d; ++to)
                    votes[i][j][to] += head.v(j, c) * of_parents[i % of_parents.size()](c, to);
    Matrix b(n, m);
    HeadResult result{Matrix(n, m), Matrix(n, d)};
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t j = 0; j < m; ++j) {
            Row column;
            for (std::size_t i = 0; i < n; ++i)
                column.push_back(b(i, j));
            const Row shares = softmax_of_all(column);
            for (std::size_t i = 0; i < n; ++i)
                result.weights(i, j) = is_child(j) ? shares[i] : 0;
        }
        for (std::size_t i = 0; i < n; ++i) {
            Row sum(d, 0);
            for (std::size_t j = 0; j < m; ++j)
                for (std::size_t c = 0; c < d; ++c)
                    sum[c] += result.weights(i, j) * votes[i][j][c];
            const Row parent = squash(sum);
            for (std::size_t c = 0; c < d; ++c)
                result.context(i, c) = parent[c];
            for (std::size_t j = 0; j < m; ++j)
                b(i, j) += product(votes[i][j], parent);
        }
    }
    return result;
}

}  // namespace headlight::reference
