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

Matrix shared_blocks_by_signs(const Matrix& q, const Matrix& k, const Allowed& allowed,
                              const Matrix& directions, std::size_t clusters) {
    const std::vector<std::size_t> real = keys_that_are_seen(allowed, k.rows);
    const auto place_of = [&](const Row& x) {
        std::size_t gray = 0;
        for (std::size_t bit = 0; bit < directions.cols; ++bit) {
            Number sum = 0;
            for (std::size_t c = 0; c < x.size(); ++c)
                sum += x[c] * directions(c, bit);
            gray |= std::size_t(sum > 0) << bit;
        }
        std::size_t place = 0;
        for (; gray > 0; gray >>= 1)
            place ^= gray;
        return -static_cast<Number>(place);
    };
    Row queries, keys;
    for (std::size_t i = 0; i < q.rows; ++i)
        queries.push_back(place_of(q.row(i)));
    for (const std::size_t j : real)
        keys.push_back(place_of(k.row(j)));
    const auto of_queries = blocks_by(queries, clusters), of_keys = blocks_by(keys, clusters);
    Matrix shared(q.rows, k.rows);
    for (std::size_t i = 0; i < q.rows; ++i)
        for (std::size_t place = 0; place < real.size(); ++place)
            shared(i, real[place]) = of_queries[i] == of_keys[place] ? 1 : 0;
    return shared;
}

Row chances_by_values(const Allowed& allowed, const Matrix& values) {
    const std::vector<std::size_t> real = keys_that_are_seen(allowed, values.rows);
    std::vector<Row> all;
    for (const std::size_t j : real) {
        all.push_back(values.row(j));
        all.back().push_back(1);
    }
    Row along(values.cols + 1, Number(1));
    Number most = 1;
    for (int round = 0; round < 20; ++round) {
        const Number length = std::sqrt(product(along, along));
        Row image(along.size(), Number(0));
        for (const Row& row : all) {
            const Number share = product(row, along) / (length == 0 ? 1 : length);
            for (std::size_t c = 0; c < row.size(); ++c)
                image[c] += share * row[c];
        }
        along = image;
        most = std::sqrt(product(along, along));
    }
    Row chances(values.rows, Number(0));
    Number sum = 0;
    for (std::size_t place = 0; place < real.size(); ++place)
        sum += chances[real[place]] = std::sqrt(product(all[place], all[place])) / (most == 0 ? 1 : most) +
                                      1 / static_cast<Number>(real.size());
    for (Number& chance : chances)
        chance /= sum == 0 ? 1 : sum;
    return chances;
}

Row drawn_by_chances(const Row& chances, std::size_t samples, std::uint64_t seed) {
    Row drawn(chances.size(), Number(0));
    for (std::size_t draw = 0; draw < samples; ++draw) {
        const Number share = static_cast<Number>(child(seed, draw) >> 11) / 9007199254740992.0;  // 2^53
        Number so_far = 0;
        for (std::size_t j = 0; j < chances.size(); ++j)
            if ((so_far += chances[j]) > share) {
                drawn[j] += 1;
                break;
            }
    }
    return drawn;
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

Matrix counted_weights(const Matrix& weights, const Matrix& shared, const Row& drawn, const Row& stands_for,
                       bool counts_rounds) {
    Matrix counted = weights;
    for (std::size_t i = 0; i < weights.rows; ++i) {
        Number sum = 0;
        for (std::size_t j = 0; j < weights.cols; ++j) {
            const Number rounds = counts_rounds ? shared(i, j) : 1;
            counted(i, j) *= shared(i, j) > 0 ? rounds : stands_for[j] * drawn[j];
            sum += counted(i, j);
        }
        for (std::size_t j = 0; j < weights.cols; ++j)
            counted(i, j) /= sum == 0 ? 1 : sum;
    }
    return counted;
}

}  // namespace headlight::reference
