#include "tests/reference/global_vectors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::reference {
namespace {

struct GlobalVector {
    Row shares, mean;
};

/// The mean of `vectors` by the softmax of `asking` times `asked` over `divisor`, over the first `real` rows.
GlobalVector global_vector(const Matrix& asking, const Row& asked, Number divisor, const Matrix& vectors,
                           std::size_t real) {
    GlobalVector result{Row(vectors.rows, Number(0)), Row(vectors.cols, Number(0))};
    Row scores;
    Number largest = -std::numeric_limits<Number>::infinity(), sum = 0;
    for (std::size_t i = 0; i < real; ++i) {
        scores.push_back(product(asking.row(i), asked) / divisor);
        largest = std::max(largest, scores[i]);
    }
    for (std::size_t i = 0; i < real; ++i)
        sum += result.shares[i] = std::exp(scores[i] - largest);
    for (std::size_t i = 0; i < real; ++i) {
        result.shares[i] /= sum;
        for (std::size_t c = 0; c < vectors.cols; ++c)
            result.mean[c] += result.shares[i] * vectors(i, c);
    }
    return result;
}

/// The numbers over the root of the sum of their squares; zeros stay.
Row over_length(Row numbers) {
    Number squares = 0;
    for (const Number number : numbers)
        squares += number * number;
    for (Number& number : numbers)
        number = squares == 0 ? 0 : number / std::sqrt(squares);
    return numbers;
}

Matrix rows_over_length(const Matrix& vectors) {
    Matrix result = vectors;
    for (std::size_t i = 0; i < result.rows; ++i) {
        const Row row = over_length(vectors.row(i));
        for (std::size_t c = 0; c < result.cols; ++c)
            result(i, c) = row[c];
    }
    return result;
}

Matrix times_of_rows(const Matrix& vectors, const Row& factors) {
    Matrix result = vectors;
    for (std::size_t i = 0; i < result.rows; ++i)
        for (std::size_t c = 0; c < result.cols; ++c)
            result(i, c) *= factors[c];
    return result;
}

std::size_t real_tokens(const Head& head) {
    return static_cast<std::size_t>(std::ranges::count(head.allowed.front(), true));
}

/// The shares in the rows of queries that see the token.
Matrix shares_of_all(const Head& head, const Row& shares) {
    Matrix weights(head.q.rows, head.k.rows);
    for (std::size_t i = 0; i < weights.rows; ++i)
        for (std::size_t j = 0; j < weights.cols; ++j)
            weights(i, j) = head.allowed[i][j] ? shares[j] : 0;
    return weights;
}

}  // namespace

std::vector<HeadResult> fastformer(const std::vector<Head>& heads, const Fastformer& setting) {
    std::vector<HeadResult> results;
    const std::size_t n = heads.front().q.rows, d = heads.front().q.cols;
    Matrix joined(n, heads.size() * d);
    for (const Head& head : heads) {
        const std::size_t real = real_tokens(head);
        const Number root = std::sqrt(static_cast<Number>(d));
        const auto of_head = [&](const Row& row) {
            const auto first = row.begin() + static_cast<std::ptrdiff_t>(head.number * d);
            return Row(first, first + static_cast<std::ptrdiff_t>(d));
        };
        const GlobalVector query = global_vector(head.q, of_head(setting.of_query), root, head.q, real);
        const Matrix keys = times_of_rows(head.k, query.mean);
        const GlobalVector key = global_vector(keys, of_head(setting.of_key), root, keys, real);
        const Matrix values = times_of_rows(head.v, key.mean);
        results.push_back({shares_of_all(head, key.shares), head.q});
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t c = 0; c < d; ++c)
                joined(i, head.number * d + c) = values(i, c);
    }
    for (const Head& head : heads)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t c = 0; c < d; ++c)
                for (std::size_t a = 0; a < joined.cols; ++a)
                    results[head.number].context(i, c) +=
                        joined(i, a) * setting.of_values(a, head.number * d + c);
    return results;
}

std::vector<HeadResult> efficient_additive(const std::vector<Head>& heads, const EfficientAdditive& setting) {
    std::vector<HeadResult> results;
    const std::size_t n = heads.front().q.rows, d = heads.front().q.cols;
    Matrix joined(n, heads.size() * d);
    for (const Head& head : heads) {
        const Matrix queries = rows_over_length(head.q), values = rows_over_length(head.v);
        Row numbers(n, 0);
        for (std::size_t i = 0; i < real_tokens(head); ++i)
            for (std::size_t c = 0; c < d; ++c)
                numbers[i] += setting.of_query[head.number * d + c] * queries(i, c);
        const Row coefficients = over_length(numbers);
        Row global(d, 0);
        for (std::size_t i = 0; i < real_tokens(head); ++i)
            for (std::size_t c = 0; c < d; ++c)
                global[c] += coefficients[i] * queries(i, c);
        const Matrix met = times_of_rows(values, global);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t c = 0; c < d; ++c)
                joined(i, head.number * d + c) = met(i, c);
        results.push_back({shares_of_all(head, coefficients), queries});
    }
    for (HeadResult& result : results) {
        const auto head = static_cast<std::size_t>(&result - results.data());
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t c = 0; c < d; ++c) {
                result.context(i, c) += setting.bias[head * d + c];
                for (std::size_t a = 0; a < joined.cols; ++a)
                    result.context(i, c) += joined(i, a) * setting.mixed(a, head * d + c);
            }
    }
    return results;
}

HeadResult separable(const Head& head, const Row& w) {
    const GlobalVector context = global_vector(head.q, w, 1, head.k, real_tokens(head));
    HeadResult result{shares_of_all(head, context.shares), head.v};
    for (std::size_t i = 0; i < head.v.rows; ++i)
        for (std::size_t c = 0; c < head.v.cols; ++c)
            result.context(i, c) = std::max<Number>(head.v(i, c), 0) * context.mean[c];
    return result;
}

}  // namespace headlight::reference
