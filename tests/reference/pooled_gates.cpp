#include "tests/reference/pooled_gates.h"

#include "tests/reference/positions_rotary.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

/// Tokens of each block that are no padding.
std::vector<std::vector<std::size_t>> tokens_of_blocks(const std::vector<bool>& real, std::size_t size) {
    std::vector<std::vector<std::size_t>> blocks((real.size() + size - 1) / size);
    for (std::size_t token = 0; token < real.size(); ++token)
        if (real[token])
            blocks[token / size].push_back(token);
    return blocks;
}

Row mean_of_tokens(const Matrix& x, const std::vector<std::size_t>& tokens) {
    Row mean(x.cols, 0);
    for (const std::size_t token : tokens)
        for (std::size_t c = 0; c < x.cols; ++c)
            mean[c] += x(token, c) / static_cast<Number>(tokens.size());
    return mean;
}

/// [max, min, mean] times W.
Row key_of_block(const Matrix& k, const std::vector<std::size_t>& tokens, const Matrix& to_gate) {
    Row largest(k.cols, 0), smallest(k.cols, 0);
    for (std::size_t c = 0; c < k.cols; ++c)
        for (std::size_t at = 0; at < tokens.size(); ++at) {
            largest[c] = at == 0 ? k(tokens[at], c) : std::max(largest[c], k(tokens[at], c));
            smallest[c] = at == 0 ? k(tokens[at], c) : std::min(smallest[c], k(tokens[at], c));
        }
    const Row mean = mean_of_tokens(k, tokens);
    Row key(to_gate.cols, 0);
    for (std::size_t to = 0; to < to_gate.cols; ++to)
        for (std::size_t c = 0; c < k.cols; ++c)
            key[to] += largest[c] * to_gate(c, to) + smallest[c] * to_gate(k.cols + c, to) +
                       mean[c] * to_gate(2 * k.cols + c, to);
    return key;
}

}  // namespace

Allowed pooled_gates(const Matrix& q, const Matrix& k, const Allowed& allowed, const PooledGates& gates) {
    const std::size_t n = q.rows, m = k.rows;
    std::vector<bool> real(m, false);
    for (const auto& row : allowed)
        for (std::size_t j = 0; j < m; ++j)
            real[j] = real[j] || row[j];
    const auto asking =
                   tokens_of_blocks(gates.is_one_sequence ? real : std::vector<bool>(n, true), gates.size),
               known = tokens_of_blocks(real, gates.size);
    const auto placed = [&](const Row& vector, std::size_t block) {
        const std::size_t turned = q.cols / 2 * 2;
        if (!gates.has_places || turned == 0)
            return vector;
        return rotated({.dimensions = turned, .base = gates.base}, vector, block * gates.size);
    };
    std::size_t end = asking.size();  // of blocks that are not padding alone
    while (end > 0 && asking[end - 1].empty())
        --end;
    Allowed result = allowed;
    for (std::size_t a = 0; a < asking.size(); ++a) {
        const Row query = placed(mean_of_tokens(q, asking[a]), a);
        Row scores(known.size(), 0);
        std::vector<bool> meet(known.size(), false);
        for (std::size_t b = 0; b < known.size(); ++b) {
            for (const std::size_t i : asking[a])
                for (const std::size_t j : known[b])
                    meet[b] = meet[b] || allowed[i][j];
            if (meet[b])
                scores[b] = product(query, placed(key_of_block(k, known[b], gates.to_gate), b)) /
                            std::sqrt(static_cast<Number>(q.cols));
        }
        const Row shares = softmax(scores, meet, 1);
        for (std::size_t b = 0; b < known.size(); ++b) {
            std::size_t before = 0;
            for (std::size_t other = 0; other < known.size(); ++other)
                before +=
                    meet[other] && (scores[other] > scores[b] || (scores[other] == scores[b] && other < b));
            const bool is_kept =
                (gates.dense > 0 && a + gates.dense >= end) ||
                (meet[b] && (gates.keeps_best ? before < gates.blocks : shares[b] > gates.threshold));
            for (std::size_t i = a * gates.size; i < std::min((a + 1) * gates.size, n); ++i)
                for (std::size_t j = b * gates.size; j < std::min((b + 1) * gates.size, m); ++j)
                    result[i][j] = allowed[i][j] && is_kept;
        }
    }
    return result;
}

}  // namespace headlight::reference
