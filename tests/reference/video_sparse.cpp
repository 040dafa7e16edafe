#include "tests/reference/video_sparse.h"

#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {

Matrix means_of_blocks(const Matrix& x, std::size_t size, std::size_t real) {
    Matrix means((x.rows + size - 1) / size, x.cols);
    for (std::size_t block = 0; block < means.rows; ++block) {
        const std::size_t end = std::min((block + 1) * size, real);
        for (std::size_t token = block * size; token < end; ++token)
            for (std::size_t c = 0; c < x.cols; ++c)
                means(block, c) += x(token, c) / static_cast<Number>(end - block * size);
    }
    return means;
}

std::vector<std::size_t> blocks_by_product(const Row& query, const Matrix& keys, std::size_t size,
                                           std::size_t real) {
    std::vector<std::size_t> order;
    Row products;
    for (std::size_t block = 0; block < keys.rows; ++block) {
        products.push_back(product(query, keys.row(block)));
        if (block * size < real)
            order.push_back(block);
    }
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return products[a] > products[b]; });
    return order;
}

HeadResult video_sparse(const Head& head, const VideoBlocks& blocks) {
    const std::size_t n = head.q.rows, m = head.k.rows, size = blocks.size;
    const auto real =
        static_cast<std::size_t>(std::count(head.allowed.front().begin(), head.allowed.front().end(), true));
    const Number root = std::sqrt(static_cast<Number>(head.k.cols));
    const Matrix q = means_of_blocks(head.q, size, blocks.is_one_sequence ? real : n),
                 k = means_of_blocks(head.k, size, real), v = means_of_blocks(head.v, size, real);
    HeadResult result{Matrix(n, m), Matrix(n, head.v.cols)};
    for (std::size_t i = 0; i < n; ++i) {
        Row coarse;
        std::vector<bool> is_real;
        for (std::size_t block = 0; block < k.rows; ++block) {
            coarse.push_back(product(q.row(i / size), k.row(block)) / root);
            is_real.push_back(block * size < real);
        }
        std::vector<std::size_t> order = blocks_by_product(q.row(i / size), k, size, real);
        order.resize(std::min(order.size(), blocks.selected));
        const Row of_blocks = softmax(coarse, is_real, 1);
        Row scores;
        std::vector<bool> open;
        for (std::size_t j = 0; j < m; ++j) {
            scores.push_back(product(head.q.row(i), head.k.row(j)) / root);
            open.push_back(j < real && std::ranges::find(order, j / size) != order.end());
        }
        const Row fine = softmax(scores, open, 1);
        Number mean_gate = 0;
        for (std::size_t c = 0; c < head.v.cols; ++c) {
            Number gate = blocks.b[c], found = 0;
            for (std::size_t feature = 0; feature < head.x.cols; ++feature)
                gate += head.x(i, feature) * blocks.W(feature, c);
            for (std::size_t block = 0; block < k.rows; ++block)
                found += of_blocks[block] * v(block, c);
            for (std::size_t j = 0; j < real; ++j)
                result.context(i, c) += fine[j] * head.v(j, c);
            result.context(i, c) += gate * found;
            mean_gate += gate / static_cast<Number>(head.v.cols);
        }
        for (std::size_t j = 0; j < real; ++j) {
            const std::size_t first = j / size * size, in_block = std::min(first + size, real) - first;
            result.weights(i, j) = fine[j] + mean_gate * of_blocks[j / size] / static_cast<Number>(in_block);
        }
    }
    return result;
}

}  // namespace headlight::reference
