#include "tests/reference/learned_slots.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::reference {

HeadResult product_keys(const Head& head, const ProductKeys& memory) {
    const std::size_t n = head.q.rows, c = memory.left.rows, slots = c * c;
    Matrix weights(n, slots);
    HeadResult result{Matrix(n, n), Matrix(n, memory.values.cols)};
    for (std::size_t i = 0; i < n; ++i) {
        Row scores;
        for (std::size_t slot = 0; slot < slots; ++slot) {
            Row key = memory.left.row(slot / c);
            const Row right = memory.right.row(slot % c);
            key.insert(key.end(), right.begin(), right.end());
            scores.push_back(product(head.q.row(i), key));
        }
        std::vector<std::size_t> order(slots);
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
        std::vector<bool> is_read(slots, false);
        for (std::size_t at = 0; at < std::min(memory.read, slots); ++at)
            is_read[order[at]] = true;
        const Row row = softmax(scores, is_read, 1);
        for (std::size_t slot = 0; slot < slots; ++slot) {
            weights(i, slot) = row[slot];
            for (std::size_t feature = 0; feature < memory.values.cols; ++feature)
                result.context(i, feature) += row[slot] * memory.values(slot, feature);
        }
    }
    for (std::size_t slot = 0; slot < slots; ++slot) {
        Number readers = 0;
        for (std::size_t i = 0; i < n; ++i)
            readers += weights(i, slot);
        for (std::size_t i = 0; i < n && readers > 0; ++i)
            for (std::size_t j = 0; j < n; ++j)
                result.weights(i, j) += weights(i, slot) * weights(j, slot) / readers;
    }
    return result;
}

namespace {

Number exact_gelu(Number x) { return x / 2 * (1 + std::erf(x / std::sqrt(Number(2)))); }

/// To the length of as many ones.
Row of_one_length(Row row) {
    const Number length = std::sqrt(product(row, row));
    for (Number& number : row)
        number *= length > 0 ? std::sqrt(static_cast<Number>(row.size())) / length : 0;
    return row;
}

/// gelu(√s a / |a|) V of a = x Kᵀ, or √s gelu(a) / |gelu(a)| V.
Matrix by_parameter_tokens(const Matrix& x, const ParameterTokens& tokens, bool is_normed_first) {
    Matrix made(x.rows, tokens.values.cols);
    for (std::size_t i = 0; i < x.rows; ++i) {
        Row shares;
        for (std::size_t token = 0; token < tokens.keys.rows; ++token)
            shares.push_back(product(x.row(i), tokens.keys.row(token)));
        if (is_normed_first)
            shares = of_one_length(shares);
        for (Number& share : shares)
            share = exact_gelu(share);
        if (!is_normed_first)
            shares = of_one_length(shares);
        for (std::size_t token = 0; token < shares.size(); ++token)
            for (std::size_t c = 0; c < made.cols; ++c)
                made(i, c) += shares[token] * tokens.values(token, c);
    }
    return made;
}

}  // namespace

std::vector<HeadResult> token_parameters(const std::vector<Head>& heads, const Matrix& value_tokens,
                                         const TokenParameters& setting) {
    const std::size_t count = heads.size(), d = heads.front().q.cols, n = heads.front().q.rows;
    Matrix asking(n, count * d);
    for (const Head& head : heads)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t c = 0; c < d; ++c)
                asking(i, head.number * d + c) = head.q(i, c);
    const auto made = [&](const Matrix& x, const ParameterTokens& tokens) {
        return by_parameter_tokens(x, tokens, setting.is_normed_first);
    };
    const Matrix queries = made(asking, setting.of_queries), keys = made(heads.front().y, setting.of_keys),
                 values = made(value_tokens, setting.of_values);
    std::vector<HeadResult> results;
    for (const Head& head : heads) {
        const Matrix q = columns_of_head(queries, head.number, count),
                     k = columns_of_head(keys, head.number, count),
                     v = columns_of_head(values, head.number, count);
        Matrix scores(n, k.rows);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < k.rows; ++j)
                scores(i, j) = product_of_rows(q, i, k, j) / std::sqrt(static_cast<Number>(d));
        HeadResult result{setting.weigh(head, scores, head.allowed), Matrix(n, v.cols)};
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < k.rows; ++j)
                for (std::size_t c = 0; c < v.cols; ++c)
                    result.context(i, c) += result.weights(i, j) * v(j, c);
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace headlight::reference
