#include "tests/reference/sparse_branches.h"

#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace headlight::reference {
namespace {

/// Keys that query i sees: the first ones.
std::size_t keys_seen(const Head& head, std::size_t i) {
    return static_cast<std::size_t>(std::ranges::count(head.allowed[i], true));
}

/// Softmax of q_i with some vectors of the keys' width.
Row weights_of(const Head& head, std::size_t i, const Matrix& vectors, const std::vector<bool>& seen) {
    Row scores;
    for (std::size_t j = 0; j < vectors.rows; ++j)
        scores.push_back(product(head.q.row(i), vectors.row(j)) /
                         std::sqrt(static_cast<Number>(head.q.cols)));
    return softmax(scores, seen, 1);
}

Matrix means_of_whole_blocks(const Matrix& k, std::size_t block) {
    Matrix means(k.rows / block, k.cols);
    for (std::size_t j = 0; j < means.rows * block; ++j)
        for (std::size_t c = 0; c < k.cols; ++c)
            means(j / block, c) += k(j, c) / static_cast<Number>(block);
    return means;
}

Row compressed(const Head& head, std::size_t i, std::size_t block) {
    const Matrix means = means_of_whole_blocks(head.k, block);
    std::vector<bool> seen;
    for (std::size_t b = 0; b < means.rows; ++b)
        seen.push_back((b + 1) * block <= keys_seen(head, i));
    return weights_of(head, i, means, seen);
}

std::set<std::size_t> chosen_blocks(const std::vector<Row>& of_group, std::size_t own, std::size_t count) {
    std::set<std::size_t> chosen{own};
    const auto add = [&](std::size_t block) {
        if (chosen.size() < count)
            chosen.insert(block);
    };
    add(0);
    if (own > 0)
        add(own - 1);
    while (chosen.size() < std::min(count, own + 1)) {
        std::size_t best = own;
        Number largest = -1;
        for (std::size_t block = 0; block < own; ++block) {
            Number importance = 0;
            for (const Row& weights : of_group)
                importance +=
                    block < weights.size() ? weights[block] / static_cast<Number>(of_group.size()) : 0;
            if (!chosen.contains(block) && importance > largest) {
                largest = importance;
                best = block;
            }
        }
        chosen.insert(best);
    }
    return chosen;
}

}  // namespace

std::vector<HeadResult> sparse_branches(const std::vector<Head>& heads, const SparseBranches& setting) {
    std::vector<HeadResult> results;
    const std::size_t group = heads.size() / setting.kv_heads;
    for (const Head& head : heads) {
        HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
        const Matrix open = project(head.x, {setting.gate, setting.gate_bias});
        for (std::size_t i = 0; i < head.q.rows; ++i) {
            const std::size_t end = keys_seen(head, i);
            if (end == 0)
                continue;
            std::vector<Row> of_group;
            for (std::size_t other = head.number / group * group; other < (head.number / group + 1) * group;
                 ++other)
                of_group.push_back(compressed(heads[other], i, setting.block));
            const auto chosen = chosen_blocks(of_group, (end - 1) / setting.block, setting.selected);
            std::vector<bool> in_blocks, in_window;
            for (std::size_t j = 0; j < head.k.rows; ++j) {
                in_blocks.push_back(j < end && chosen.contains(j / setting.block));
                in_window.push_back(j < end && j + setting.window >= end);
            }
            const Row whole = compressed(head, i, setting.block);
            const Row selected = weights_of(head, i, head.k, in_blocks);
            const Row window = weights_of(head, i, head.k, in_window);
            const auto gate = [&](std::size_t branch) {
                return 1 / (1 + std::exp(-open(i, 3 * head.number + branch)));
            };
            for (std::size_t j = 0; j < end; ++j) {
                const std::size_t block = j / setting.block;
                const Number mean =
                    block < whole.size() ? whole[block] / static_cast<Number>(setting.block) : 0;
                result.weights(i, j) = gate(0) * mean + gate(1) * selected[j] + gate(2) * window[j];
                for (std::size_t c = 0; c < head.v.cols; ++c)
                    result.context(i, c) += result.weights(i, j) * head.v(j, c);
            }
        }
        results.push_back(result);
    }
    return results;
}

}  // namespace headlight::reference
