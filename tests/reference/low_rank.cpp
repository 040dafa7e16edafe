#include "tests/reference/low_rank.h"

#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

Matrix times(const Matrix& a, const Matrix& b) {
    Matrix result(a.rows, b.cols);
    for (std::size_t r = 0; r < a.rows; ++r)
        for (std::size_t c = 0; c < b.cols; ++c)
            for (std::size_t i = 0; i < a.cols; ++i)
                result(r, c) += a(r, i) * b(i, c);
    return result;
}

/// a b of rows of a whose entries of forbidden columns are not looked at.
Matrix times_allowed(const Matrix& a, const Matrix& b, const std::vector<bool>& allowed) {
    Matrix result(a.rows, b.cols);
    for (std::size_t r = 0; r < a.rows; ++r)
        for (std::size_t i = 0; i < a.cols; ++i)
            for (std::size_t c = 0; c < b.cols && allowed[i]; ++c)
                result(r, c) += a(r, i) * b(i, c);
    return result;
}

Matrix soft_products(const Matrix& q, const Matrix& k, const std::vector<bool>& allowed) {
    Matrix result(q.rows, k.rows);
    for (std::size_t i = 0; i < q.rows; ++i) {
        Row scores(k.rows, Number(0));
        for (std::size_t j = 0; j < k.rows; ++j)
            for (std::size_t c = 0; c < q.cols && allowed[j]; ++c)
                scores[j] += q(i, c) * k(j, c) / std::sqrt(static_cast<Number>(q.cols));
        const Row weights = softmax(scores, allowed, 1);
        for (std::size_t j = 0; j < k.rows; ++j)
            result(i, j) = weights[j];
    }
    return result;
}

/// factor I - a
Matrix from_identity(Number factor, const Matrix& a) {
    Matrix result(a.rows, a.cols);
    for (std::size_t r = 0; r < a.rows; ++r)
        for (std::size_t c = 0; c < a.cols; ++c)
            result(r, c) = (r == c ? factor : 0) - a(r, c);
    return result;
}

Matrix pseudo_inverse(const Matrix& a, std::size_t iterations) {
    Number by_rows = 0, by_columns = 0;
    for (std::size_t r = 0; r < a.rows; ++r) {
        Number row = 0, column = 0;
        for (std::size_t c = 0; c < a.cols; ++c) {
            row += std::abs(a(r, c));
            column += std::abs(a(c, r));
        }
        by_rows = std::max(by_rows, row);
        by_columns = std::max(by_columns, column);
    }
    Matrix z(a.cols, a.rows);
    for (std::size_t r = 0; r < a.rows; ++r)
        for (std::size_t c = 0; c < a.cols; ++c)
            z(c, r) = a(r, c) / (by_rows * by_columns);
    for (std::size_t step = 0; step < iterations; ++step) {
        const Matrix az = times(a, z);
        z = times(z, from_identity(13, times(az, from_identity(15, times(az, from_identity(7, az))))));
        for (Number& value : z.values)
            value /= 4;
    }
    return z;
}

HeadResult through(const Matrix& weights, const Head& head) {
    HeadResult result{weights, times_allowed(weights, head.v, head.allowed.front())};
    for (std::size_t i = 0; i < weights.rows; ++i)
        for (std::size_t j = 0; j < weights.cols; ++j)
            if (!head.allowed[i][j])
                result.weights(i, j) = 0;
    return result;
}

std::size_t count_allowed(const Head& head) {
    return static_cast<std::size_t>(std::ranges::count(head.allowed.front(), true));
}

}  // namespace

Matrix segment_means(std::size_t count, std::size_t size) {
    Matrix means(count, size);
    for (std::size_t r = 0; r < count; ++r) {
        const std::size_t begin = r * size / count, end = (r + 1) * size / count;
        for (std::size_t c = begin; c < end; ++c)
            means(r, c) = Number(1) / static_cast<Number>(end - begin);
    }
    return means;
}

HeadResult linformer(const Head& head, const Matrix& for_keys, const Matrix& for_values) {
    const Matrix pooled = times_allowed(for_keys, head.k, head.allowed.front());
    return through(times(soft_products(head.q, pooled, std::vector<bool>(pooled.rows, true)), for_values),
                   head);
}

HeadResult nystrom(const Head& head, std::size_t landmarks, std::size_t iterations) {
    const std::size_t real = count_allowed(head), count = std::min({landmarks, head.q.rows, real});
    if (count == 0)
        return {Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    Matrix pooling(count, head.k.rows);
    const Matrix means = segment_means(count, real);
    for (std::size_t r = 0; r < count; ++r)
        for (std::size_t c = 0; c < real; ++c)
            pooling(r, c) = means(r, c);
    const Matrix queries = times(segment_means(count, head.q.rows), head.q);
    const Matrix keys = times_allowed(pooling, head.k, head.allowed.front());
    const std::vector<bool> all(count, true);
    const Matrix left = times(soft_products(head.q, keys, all),
                              pseudo_inverse(soft_products(queries, keys, all), iterations));
    return through(times(left, soft_products(queries, head.k, head.allowed.front())), head);
}

}  // namespace headlight::reference
