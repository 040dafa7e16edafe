#include "tests/reference/unit_mixers.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/linear_system.h"
#include "tests/reference/low_rank.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

Number silu_of(Number x) { return x * sigmoid(x); }

Row offset_silu(const Row& x, const Row& gain, const Row& shift) {
    Row result;
    for (std::size_t c = 0; c < x.size(); ++c)
        result.push_back(gain[c] * silu_of(x[c]) + shift[c]);
    return result;
}

Number kernel_of(const Row& a, const Row& b) {
    Number square = 0;
    for (std::size_t c = 0; c < a.size(); ++c)
        square += (a[c] - b[c]) * (a[c] - b[c]);
    return std::exp(-square / (2 * std::sqrt(static_cast<Number>(a.size()))));
}

/// Means of `count` segments of the first `size` rows.
std::vector<Row> means_of_rows(const Matrix& rows, std::size_t count, std::size_t size) {
    const Matrix shares = segment_means(count, size);
    std::vector<Row> means;
    for (std::size_t r = 0; r < count; ++r) {
        Row mean(rows.cols, Number(0));
        for (std::size_t t = 0; t < size; ++t)
            for (std::size_t c = 0; c < rows.cols; ++c)
                mean[c] += shares(r, t) * rows(t, c);
        means.push_back(mean);
    }
    return means;
}

Number length_of(const Row& x) { return std::sqrt(product(x, x)); }

}  // namespace

HeadResult gated_attention_unit(const Head& head, const GatedUnit& unit) {
    const auto n = static_cast<Number>(unit.length > 0 ? unit.length : head.k.rows);
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const Row query = offset_silu(head.q.row(i), unit.gamma_q, unit.beta_q);
        for (std::size_t j = 0; j < head.k.rows; ++j) {
            if (!head.allowed[i][j])
                continue;
            const Number score = product(query, offset_silu(head.k.row(j), unit.gamma_k, unit.beta_k)) / n;
            result.weights(i, j) = score > 0 ? score * score : 0;
            for (std::size_t c = 0; c < head.v.cols; ++c)
                result.context(i, c) += result.weights(i, j) * silu_of(head.v(j, c));
        }
        for (std::size_t c = 0; c < head.v.cols; ++c) {
            Number gate = 0;
            for (std::size_t a = 0; a < head.x.cols; ++a)
                gate += head.x(i, a) * unit.to_gate(a, c);
            result.context(i, c) *= silu_of(gate);
        }
    }
    return result;
}

HeadResult ufo(const Head& head, Number gamma) {
    const std::size_t n = head.q.rows, m = head.k.rows, d = head.k.cols, width = head.v.cols;
    HeadResult result{Matrix(n, m), Matrix(n, width)};
    for (std::size_t i = 0; i < n; ++i) {
        const Row query = head.q.row(i);
        const Number query_length = length_of(query);
        for (std::size_t a = 0; a < d && query_length > 0; ++a) {
            Row summary(width, Number(0));  // row a of K^T V
            for (std::size_t j = 0; j < m; ++j)
                for (std::size_t c = 0; c < width && head.allowed[i][j]; ++c)
                    summary[c] += head.k(j, a) * head.v(j, c);
            const Number length = length_of(summary);
            if (length == 0)
                continue;
            const Number share = gamma * query[a] / query_length * gamma / length;
            for (std::size_t c = 0; c < width; ++c)
                result.context(i, c) += share * summary[c];
            for (std::size_t j = 0; j < m; ++j)
                if (head.allowed[i][j])
                    result.weights(i, j) += share * head.k(j, a);
        }
    }
    return result;
}

HeadResult kernel_landmarks(const Head& head, std::size_t landmarks, Number lambda) {
    const std::size_t n = head.q.rows, m = head.k.rows;
    const auto real =
        n > 0 ? static_cast<std::size_t>(std::ranges::count(head.allowed.front(), true)) : std::size_t(0);
    const std::size_t count = std::min({landmarks, n, real});
    HeadResult result{Matrix(n, m), Matrix(n, head.v.cols)};
    if (count == 0)
        return result;
    std::vector<Row> points = means_of_rows(head.q, count, n);
    for (const Row& mean : means_of_rows(head.k, count, real))
        points.push_back(mean);
    Matrix system(points.size(), points.size());
    for (std::size_t a = 0; a < points.size(); ++a)
        for (std::size_t b = 0; b < points.size(); ++b)
            system(a, b) = kernel_of(points[a], points[b]) + (a == b ? lambda : 0);
    for (std::size_t j = 0; j < real; ++j) {
        Row of_key;
        for (const Row& point : points)
            of_key.push_back(kernel_of(point, head.k.row(j)));
        const Row shares = solved(system, of_key);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t a = 0; a < points.size(); ++a)
                result.weights(i, j) += kernel_of(head.q.row(i), points[a]) * shares[a];
            for (std::size_t c = 0; c < head.v.cols; ++c)
                result.context(i, c) += result.weights(i, j) * head.v(j, c);
        }
    }
    return result;
}

}  // namespace headlight::reference
