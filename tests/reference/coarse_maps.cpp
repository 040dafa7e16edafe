#include "tests/reference/coarse_maps.h"

#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

std::size_t seen_by_first(const Head& head) {
    return static_cast<std::size_t>(
        std::count(head.allowed.front().begin(), head.allowed.front().end(), true));
}

/// The mean of the real tokens of a block.
Row mean_of_block(const Matrix& x, std::size_t block, std::size_t size, std::size_t real) {
    Row mean(x.cols, Number(0));
    Number count = 0;
    for (std::size_t token = block * size; token < std::min((block + 1) * size, real); ++token) {
        count += 1;
        for (std::size_t c = 0; c < x.cols; ++c)
            mean[c] += x(token, c);
    }
    for (Number& number : mean)
        number /= std::max(count, Number(1));
    return mean;
}

HeadResult attended(const Head& head, const Matrix& scores, const Allowed& open) {
    HeadResult result{Matrix(scores.rows, scores.cols), Matrix(scores.rows, head.v.cols)};
    for (std::size_t i = 0; i < scores.rows; ++i) {
        const Row weights = softmax(scores.row(i), open[i], 1);
        for (std::size_t j = 0; j < scores.cols; ++j) {
            result.weights(i, j) = weights[j];
            for (std::size_t c = 0; c < head.v.cols && weights[j] != 0; ++c)
                result.context(i, c) += weights[j] * head.v(j, c);
        }
    }
    return result;
}

bool are_near(std::size_t a, std::size_t b) { return std::max(a, b) - std::min(a, b) <= 1; }

}  // namespace

HeadResult h_transformer(const Head& head, std::size_t block, bool is_causal) {
    const std::size_t n = head.q.rows, real = seen_by_first(head);
    const Number root = std::sqrt(static_cast<Number>(head.k.cols));
    Matrix scores(n, n);
    Allowed open = head.allowed;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            std::size_t width = 1;
            while (!are_near(i / (block * width), j / (block * width)))
                width *= 2;
            const Row query =
                width == 1 || is_causal ? head.q.row(i) : mean_of_block(head.q, i / width, width, real);
            const Row key = width == 1 ? head.k.row(j) : mean_of_block(head.k, j / width, width, real);
            scores(i, j) = product(query, key) / root;
            open[i][j] = open[i][j] && (!is_causal || j <= i);
        }
    return attended(head, scores, open);
}

HeadResult multiresolution(const Head& head, const MultiResolution& maps) {
    const std::size_t n = head.q.rows, m = head.k.rows, size = maps.block, real = seen_by_first(head);
    const std::size_t rows = (n + size - 1) / size, columns = (m + size - 1) / size;
    const Number root = std::sqrt(static_cast<Number>(head.k.cols));
    Matrix coarse(rows, columns);
    std::vector<std::size_t> order;
    std::vector<bool> is_real;
    for (std::size_t a = 0; a < rows; ++a)
        for (std::size_t b = 0; b < columns; ++b) {
            coarse(a, b) = product(mean_of_block(head.q, a, size, maps.is_one_sequence ? real : n),
                                   mean_of_block(head.k, b, size, real)) /
                           root;
            order.push_back(a * columns + b);
            is_real.push_back(b * size < real && (!maps.is_one_sequence || a * size < real));
        }
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return is_real[a] && (!is_real[b] || coarse.values[a] > coarse.values[b]);
    });
    order.resize(std::min(order.size(), maps.refined));
    Matrix scores(n, m);
    Allowed open = head.allowed;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j) {
            const std::size_t block = i / size * columns + j / size;
            const bool is_refined = std::ranges::find(order, block) != order.end();
            scores(i, j) = is_refined ? product(head.q.row(i), head.k.row(j)) / root : coarse.values[block];
            open[i][j] = open[i][j] && (is_refined || maps.keeps_coarse);
        }
    return attended(head, scores, open);
}

}  // namespace headlight::reference
