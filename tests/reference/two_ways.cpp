#include "tests/reference/two_ways.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::reference {
namespace {

/// The queries by the softmax of the largest score of each.
Row most_asked_of(const Matrix& x, const CoAttention& given) {
    Row largest;
    std::vector<bool> has_any;
    for (std::size_t i = 0; i < x.rows; ++i) {
        bool has = false;
        Number most = 0;
        for (std::size_t j = 0; j < given.scores.cols; ++j)
            if (given.reachable[i][j]) {
                most = has ? std::max(most, given.scores(i, j)) : given.scores(i, j);
                has = true;
            }
        largest.push_back(most);
        has_any.push_back(has);
    }
    const Row shares = softmax(largest, has_any, 1);
    Row result(x.cols, Number(0));
    for (std::size_t i = 0; i < x.rows; ++i)
        for (std::size_t c = 0; c < x.cols; ++c)
            result[c] += shares[i] * x(i, c);
    return result;
}

/// What each key finds among the queries, [m, d].
Matrix found_among_queries(const Matrix& x, const CoAttention& given) {
    Matrix found(given.scores.cols, x.cols);
    for (std::size_t j = 0; j < found.rows; ++j) {
        Row column;
        std::vector<bool> may;
        for (std::size_t i = 0; i < x.rows; ++i) {
            column.push_back(given.scores(i, j));
            may.push_back(given.reachable[i][j]);
        }
        const Row shares = softmax(column, may, 1);
        for (std::size_t i = 0; i < x.rows; ++i)
            for (std::size_t c = 0; c < x.cols; ++c)
                found(j, c) += shares[i] * x(i, c);
    }
    return found;
}

}  // namespace

Matrix co_attention(const Matrix& x, const Matrix& output, const CoAttention& given) {
    const std::size_t d = x.cols;
    const Row most_asked = most_asked_of(x, given);
    const Matrix found = found_among_queries(x, given);
    Matrix result(output.rows, output.cols);
    for (std::size_t i = 0; i < x.rows; ++i) {
        Row merged;
        for (std::size_t c = 0; c < d; ++c)
            merged.push_back(x(i, c));
        for (std::size_t c = 0; c < d; ++c)
            merged.push_back(output(i, c));
        if (given.kind == "dcn")
            for (std::size_t c = 0; c < d; ++c) {
                merged.push_back(0);
                for (std::size_t j = 0; j < found.rows; ++j)
                    merged.back() += given.weights(i, j) * found(j, c);
            }
        else if (given.kind == "esim")
            for (std::size_t c = 0; c < d; ++c)
                merged.push_back(x(i, c) - output(i, c));
        for (std::size_t c = 0; c < d && given.kind != "dcn"; ++c)
            merged.push_back(x(i, c) * output(i, c));
        for (std::size_t c = 0; c < d && given.kind == "bidaf"; ++c)
            merged.push_back(x(i, c) * most_asked[c]);
        for (std::size_t to = 0; to < result.cols; ++to) {
            Number sum = given.b[to];
            for (std::size_t from = 0; from < merged.size(); ++from)
                sum += merged[from] * given.W(from, to);
            result(i, to) = given.kind == "esim" ? std::max(sum, Number(0)) : sum;
        }
    }
    return result;
}

HeadResult autocorrelation(const Head& head, std::size_t kept, Number length) {
    const std::size_t n = head.q.rows;
    Row likeness;
    for (std::size_t lag = 0; lag < n; ++lag) {
        Number sum = 0;
        for (std::size_t t = 0; t < n; ++t)
            sum += product_of_rows(head.q, t, head.k, (t + n - lag) % n);
        likeness.push_back(sum / length);
    }
    // Equal but for rounding are lags that together go around, where queries are the keys.
    Number largest = 0;
    for (const Number number : likeness)
        largest = std::max(largest, std::abs(number));
    Row rounded;
    for (const Number number : likeness)
        rounded.push_back(std::floor(number / (largest > 0 ? largest : 1) * (1 << 30) + Number(1) / 2));
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return rounded[a] > rounded[b]; });
    std::vector<bool> is_kept(n, false);
    for (std::size_t place = 0; place < kept; ++place)
        is_kept[order[place]] = true;
    const Row shares = softmax(likeness, is_kept, 1);
    HeadResult result{Matrix(n, n), Matrix(n, head.v.cols)};
    for (std::size_t t = 0; t < n; ++t)
        for (std::size_t lag = 0; lag < n; ++lag) {
            const std::size_t other = (t + lag) % n;
            result.weights(t, other) = shares[lag];
            for (std::size_t c = 0; c < head.v.cols; ++c)
                result.context(t, c) += shares[lag] * head.v(other, c);
        }
    return result;
}

}  // namespace headlight::reference
