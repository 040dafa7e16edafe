#include "tests/reference/sparse_linear.h"

#include "tests/reference/softmax.h"
#include "tests/reference/video_sparse.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

Row mapped_features(const Row& x, SparseLinear::Map map) {
    if (map == SparseLinear::Map::softmax)
        return softmax_of_all(x);
    Row features;
    for (const Number each : x)
        features.push_back(map == SparseLinear::Map::relu ? std::max(each, Number(0))
                           : each > 0                     ? each + 1
                                                          : std::exp(each));
    return features;
}

/// Linear attention of one query to the keys that it may see: 0 where no feature meets another.
Row linear_row(const Head& head, std::size_t query, const std::vector<bool>& seen, SparseLinear::Map map) {
    Row weights(head.k.rows, Number(0));
    Number sum = 0;
    for (std::size_t j = 0; j < head.k.rows; ++j)
        if (seen[j])
            sum += weights[j] =
                product(mapped_features(head.q.row(query), map), mapped_features(head.k.row(j), map));
    for (Number& weight : weights)
        weight = sum == 0 ? 0 : weight / sum;
    return weights;
}

}  // namespace

HeadResult sparse_linear(const Head& head, const SparseLinear& blocks) {
    const std::size_t n = head.q.rows, m = head.k.rows, d_v = head.v.cols, size = blocks.size;
    const auto real =
        static_cast<std::size_t>(std::count(head.allowed.front().begin(), head.allowed.front().end(), true));
    const Matrix q = means_of_blocks(head.q, size, blocks.is_one_sequence ? real : n),
                 k = means_of_blocks(head.k, size, real);
    Number kept = 0;
    for (std::size_t c = 0; c < d_v; ++c)
        kept += blocks.W(c, c) / static_cast<Number>(d_v);
    HeadResult result{Matrix(n, m), Matrix(n, d_v)};
    for (std::size_t i = 0; i < n; ++i) {
        const auto order = blocks_by_product(q.row(i / size), k, size, real);
        std::vector<bool> is_best, is_rest;
        Row scores;
        for (std::size_t j = 0; j < m; ++j) {
            const auto rank = static_cast<std::size_t>(std::ranges::find(order, j / size) - order.begin());
            is_best.push_back(j < real && rank < blocks.selected);
            is_rest.push_back(j < real && (blocks.is_of_all || (rank >= blocks.selected &&
                                                                rank + blocks.skipped < order.size())));
            scores.push_back(product(head.q.row(i), head.k.row(j)) /
                             std::sqrt(static_cast<Number>(head.k.cols)));
        }
        const Row fine = softmax(scores, is_best, 1), linear = linear_row(head, i, is_rest, blocks.map);
        Row found(d_v, Number(0));
        for (std::size_t j = 0; j < m; ++j) {
            result.weights(i, j) = fine[j] + kept * linear[j];
            for (std::size_t c = 0; c < d_v; ++c) {
                result.context(i, c) += fine[j] * head.v(j, c);
                found[c] += linear[j] * head.v(j, c);
            }
        }
        for (std::size_t c = 0; c < d_v; ++c) {
            result.context(i, c) += blocks.b[c];
            for (std::size_t from = 0; from < d_v; ++from)
                result.context(i, c) += found[from] * blocks.W(from, c);
        }
    }
    return result;
}

}  // namespace headlight::reference
