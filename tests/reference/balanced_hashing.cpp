#include "tests/reference/balanced_hashing.h"

#include "tests/reference/splitmix.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::reference {
namespace {

/// Block of each token, by the order of these numbers.
std::vector<std::size_t> blocks_by(const Row& numbers, std::size_t clusters) {
    std::vector<std::size_t> order(numbers.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return numbers[a] > numbers[b]; });
    const std::size_t size = (numbers.size() + clusters - 1) / clusters;
    std::vector<std::size_t> block(numbers.size());
    for (std::size_t place = 0; place < order.size(); ++place)
        block[order[place]] = place / size;
    return block;
}

Number along_direction(const Row& x, Number more, std::size_t at, const Matrix& directions,
                       std::size_t round) {
    Number sum = more * directions(at, round);
    for (std::size_t c = 0; c < x.size(); ++c)
        sum += x[c] * directions(c, round);
    return std::floor(sum * 1e6L + 0.5L);
}

std::vector<std::size_t> keys_that_are_seen(const Allowed& allowed, std::size_t keys) {
    std::vector<std::size_t> real;
    for (std::size_t j = 0; j < keys; ++j)
        if (std::ranges::any_of(allowed, [&](const auto& row) { return row[j]; }))
            real.push_back(j);
    return real;
}

}  // namespace

Matrix shared_balanced_blocks(const Matrix& q, const Matrix& k, const Allowed& allowed,
                              const Matrix& directions, std::size_t clusters) {
    const std::vector<std::size_t> real = keys_that_are_seen(allowed, k.rows);
    std::vector<Row> queries, keys;
    for (std::size_t i = 0; i < q.rows; ++i)
        queries.push_back(q.row(i));
    for (const std::size_t j : real)
        keys.push_back(k.row(j));
    Number largest = 0;
    for (const auto& all : {queries, keys})
        for (const Row& row : all)
            for (const Number number : row)
                largest = std::max(largest, std::abs(number));
    Number most_of_queries = 0, most_of_keys = 0;
    const auto shorten = [&](std::vector<Row>& all, Number& most) {
        for (Row& row : all) {
            for (Number& number : row)
                number /= largest == 0 ? 1 : largest;
            most = std::max(most, product(row, row));
        }
    };
    shorten(queries, most_of_queries);
    shorten(keys, most_of_keys);
    const Number most = most_of_queries + most_of_keys;
    Matrix shared(q.rows, k.rows);
    for (std::size_t round = 0; round < directions.cols; ++round) {
        const auto numbers = [&](const std::vector<Row>& all, std::size_t at) {
            Row along;
            for (const Row& row : all)
                along.push_back(along_direction(row, std::sqrt(std::max(most - product(row, row), Number(0))),
                                                at, directions, round));
            return along;
        };
        const auto of_queries = blocks_by(numbers(queries, q.cols), clusters),
                   of_keys = blocks_by(numbers(keys, q.cols + 1), clusters);
        for (std::size_t i = 0; i < q.rows; ++i)
            for (std::size_t place = 0; place < real.size(); ++place)
                if (of_queries[i] == of_keys[place])
                    shared(i, real[place]) += 1;
    }
    return shared;
}

Row drawn_keys(const Allowed& allowed, std::size_t keys, std::size_t samples, std::uint64_t seed) {
    const std::vector<std::size_t> real = keys_that_are_seen(allowed, keys);
    Row drawn(keys, Number(0));
    for (std::size_t draw = 0; draw < samples && !real.empty(); ++draw) {
        const Number share = static_cast<Number>(child(seed, draw) >> 11) / 9007199254740992.0;  // 2^53
        drawn[real[static_cast<std::size_t>(share * static_cast<Number>(real.size()))]] += 1;
    }
    return drawn;
}

Matrix counted_weights(const Matrix& weights, const Matrix& shared, const Row& drawn, Number stands_for,
                       bool counts_rounds) {
    Matrix counted = weights;
    for (std::size_t i = 0; i < weights.rows; ++i) {
        Number sum = 0;
        for (std::size_t j = 0; j < weights.cols; ++j) {
            const Number rounds = counts_rounds ? shared(i, j) : 1;
            counted(i, j) *= shared(i, j) > 0 ? rounds : stands_for * drawn[j];
            sum += counted(i, j);
        }
        for (std::size_t j = 0; j < weights.cols; ++j)
            counted(i, j) /= sum == 0 ? 1 : sum;
    }
    return counted;
}

}  // namespace headlight::reference
