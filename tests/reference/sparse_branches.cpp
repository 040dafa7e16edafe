#include "tests/reference/sparse_branches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace headlight::reference {
namespace {

/// Keys that query i sees: the first ones.
std::size_t keys_seen(const Head& head, std::size_t i) {
    return static_cast<std::size_t>(std::ranges::count(head.allowed[i], true));
}

/// Weights of all queries for some vectors of the keys' width, [n, vectors].
Matrix weights_of(const Head& head, const Matrix& vectors, const Allowed& seen, const WeighScores& weigh) {
    Matrix scores(head.q.rows, vectors.rows);
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < vectors.rows; ++j)
            scores(i, j) =
                product(head.q.row(i), vectors.row(j)) / std::sqrt(static_cast<Number>(head.q.cols));
    return vectors.rows > 0 ? weigh(head, scores, seen) : scores;
}

Matrix means_of_whole_blocks(const Matrix& k, std::size_t block) {
    Matrix means(k.rows / block, k.cols);
    for (std::size_t j = 0; j < means.rows * block; ++j)
        for (std::size_t c = 0; c < k.cols; ++c)
            means(j / block, c) += k(j, c) / static_cast<Number>(block);
    return means;
}

Matrix compressed(const Head& head, const SparseBranches& setting) {
    const Matrix means = means_of_whole_blocks(head.k, setting.block);
    Allowed seen = everything(head.q.rows, means.rows);
    for (std::size_t i = 0; i < head.q.rows; ++i)
        for (std::size_t b = 0; b < means.rows; ++b)
            seen[i][b] = (b + 1) * setting.block <= keys_seen(head, i);
    return weights_of(head, means, seen, setting.weigh);
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
        Number largest = -std::numeric_limits<Number>::infinity();
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
    std::vector<Matrix> of_blocks;
    for (const Head& head : heads)
        of_blocks.push_back(compressed(head, setting));
    const std::size_t group = heads.size() / setting.kv_heads;
    for (const Head& head : heads) {
        HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
        const Matrix open = project(head.x, {setting.gate, setting.gate_bias});
        Allowed in_blocks = opposite(everything(head.q.rows, head.k.rows)), in_window = in_blocks;
        for (std::size_t i = 0; i < head.q.rows; ++i) {
            const std::size_t end = keys_seen(head, i);
            if (end == 0)
                continue;
            std::vector<Row> of_group;
            for (std::size_t other = head.number / group * group; other < (head.number / group + 1) * group;
                 ++other)
                of_group.push_back(of_blocks[other].row(i));
            const auto chosen = chosen_blocks(of_group, (end - 1) / setting.block, setting.selected);
            for (std::size_t j = 0; j < end; ++j) {
                in_blocks[i][j] = chosen.contains(j / setting.block);
                in_window[i][j] = j + setting.window >= end;
            }
        }
        const Matrix all_selected = weights_of(head, head.k, in_blocks, setting.weigh);
        const Matrix all_window = weights_of(head, head.k, in_window, setting.weigh);
        for (std::size_t i = 0; i < head.q.rows; ++i) {
            const std::size_t end = keys_seen(head, i);
            const Row whole = of_blocks[head.number].row(i), selected = all_selected.row(i),
                      window = all_window.row(i);
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
