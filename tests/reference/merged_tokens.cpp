#include "tests/reference/merged_tokens.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::reference {
namespace {

void add_times(Matrix& sums, std::size_t row, Number weight, const Matrix& values, std::size_t of) {
    for (std::size_t c = 0; c < values.cols && weight != 0; ++c)
        sums(row, c) += weight * values(of, c);
}

}  // namespace

HeadResult merged_sources(const Head& head, const Matrix& own_keys, const Matrix& own_values) {
    const std::size_t n = head.q.rows, m = head.k.rows;
    const Number root = std::sqrt(static_cast<Number>(head.q.cols));
    HeadResult result{Matrix(n, m), Matrix(n, head.v.cols)};
    for (std::size_t i = 0; i < n; ++i) {
        Row scores;
        std::vector<bool> seen;
        for (std::size_t j = 0; j < n; ++j) {
            scores.push_back(product_of_rows(head.q, i, own_keys, j) / root);
            seen.push_back(j <= i);
        }
        for (std::size_t j = 0; j < m; ++j) {
            scores.push_back(product_of_rows(head.q, i, head.k, j) / root);
            seen.push_back(head.allowed[i][j]);
        }
        const Row weights = softmax(scores, seen, 1);
        for (std::size_t j = 0; j < n; ++j)
            add_times(result.context, i, weights[j], own_values, j);
        for (std::size_t j = 0; j < m; ++j) {
            result.weights(i, j) = weights[n + j];
            add_times(result.context, i, weights[n + j], head.v, j);
        }
    }
    return result;
}

HeadResult dynamic_mask(const Head& head, const DynamicMask& mask) {
    const std::size_t n = head.q.rows, m = head.k.rows;
    const Number root = std::sqrt(static_cast<Number>(head.q.cols));
    Row exponents;
    for (std::size_t j = 0; j < m; ++j)
        exponents.push_back(mask.rates[mask.kv_head] * softplus(mask.steps(j, mask.kv_head)));
    HeadResult result{Matrix(n, m), Matrix(n, head.v.cols)};
    for (std::size_t i = 0; i < n; ++i) {
        Row order, scores;
        for (std::size_t j = 0; j < m; ++j) {
            scores.push_back(product_of_rows(head.q, i, head.k, j) / root + std::exp(exponents[j]));
            if (head.allowed[i][j])
                order.push_back(exponents[j]);
        }
        std::ranges::sort(order, std::greater<>());
        std::vector<bool> seen;
        for (std::size_t j = 0; j < m; ++j)
            seen.push_back(head.allowed[i][j] &&
                           (order.size() <= mask.kept || exponents[j] >= order[mask.kept - 1]));
        const Row weights = softmax(scores, seen, 1);
        for (std::size_t j = 0; j < m; ++j) {
            result.weights(i, j) = weights[j];
            add_times(result.context, i, weights[j], head.v, j);
        }
    }
    return result;
}

HeadResult expert_choice(const Head& head, const Row& numbers, std::size_t count, bool takes_first) {
    const std::size_t n = head.q.rows;
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < n; ++j)
        if (std::ranges::any_of(head.allowed, [j](const auto& row) { return row[j]; }))
            order.push_back(j);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        if (takes_first && (a == 0) != (b == 0))
            return a == 0;
        return numbers[a] > numbers[b];
    });
    std::vector<bool> is_chosen(n, false);
    for (std::size_t at = 0; at < std::min(count, order.size()); ++at)
        is_chosen[order[at]] = true;
    HeadResult result{Matrix(n, n), Matrix(n, head.v.cols)};
    for (std::size_t i = 0; i < n; ++i) {
        Row scores;
        std::vector<bool> seen;
        for (std::size_t j = 0; j < n; ++j) {
            scores.push_back(product_of_rows(head.q, i, head.k, j) /
                             std::sqrt(static_cast<Number>(head.q.cols)));
            seen.push_back(is_chosen[i] && is_chosen[j] && head.allowed[i][j]);
        }
        const Row weights = softmax(scores, seen, 1);
        for (std::size_t j = 0; j < n; ++j) {
            result.weights(i, j) = sigmoid(numbers[i]) * weights[j];
            add_times(result.context, i, result.weights(i, j), head.v, j);
        }
    }
    return result;
}

namespace {

/// For each token, the one that it becomes part of; itself for those that stay.
std::vector<std::size_t> matched(const std::vector<Head>& heads, std::size_t merged) {
    const std::size_t n = heads.front().k.rows, d = heads.front().k.cols;
    Matrix metric(n, d);
    for (const Head& head : heads)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t c = 0; c < d; ++c)
                metric(i, c) += head.k(i, c) / static_cast<Number>(heads.size());
    metric = unit_rows(metric);
    struct Edge {
        std::size_t from, to;
        Number likeness;
    };
    std::vector<Edge> edges;
    for (std::size_t a = 0; a < n && n > 1; a += 2) {
        Edge best{a, 1, product_of_rows(metric, a, metric, 1)};
        for (std::size_t b = 3; b < n; b += 2)
            if (const Number likeness = product_of_rows(metric, a, metric, b); likeness > best.likeness)
                best = {a, b, likeness};
        edges.push_back(best);
    }
    std::ranges::stable_sort(edges, [](const Edge& a, const Edge& b) { return a.likeness > b.likeness; });
    std::vector<std::size_t> parts(n);
    std::iota(parts.begin(), parts.end(), std::size_t(0));
    for (std::size_t at = 0; at < std::min(merged, n / 2); ++at)
        parts[edges[at].from] = edges[at].to;
    return parts;
}

}  // namespace

std::vector<HeadResult> token_merging(const std::vector<Head>& heads, std::size_t merged) {
    const std::vector<std::size_t> parts = matched(heads, merged);
    const std::size_t n = parts.size();
    Row sizes(n, Number(0));  // 0 for those that are no longer there
    for (const std::size_t part : parts)
        sizes[part] += 1;
    const auto means = [&](const Matrix& x) {
        Matrix mean(x.rows, x.cols);
        for (std::size_t i = 0; i < n; ++i)
            add_times(mean, parts[i], 1 / sizes[parts[i]], x, i);
        return mean;
    };
    std::vector<HeadResult> results;
    for (const Head& head : heads) {
        const Matrix q = means(head.q), k = means(head.k), v = means(head.v);
        HeadResult result{Matrix(n, n), Matrix(n, v.cols)};
        for (std::size_t i = 0; i < n; ++i) {
            Row scores;
            std::vector<bool> is_there;
            for (std::size_t j = 0; j < n; ++j) {
                is_there.push_back(sizes[j] > 0);
                scores.push_back(is_there.back() ? product_of_rows(q, parts[i], k, j) /
                                                           std::sqrt(static_cast<Number>(q.cols)) +
                                                       std::log(sizes[j])
                                                 : 0);
            }
            const Row weights = softmax(scores, is_there, 1);
            for (std::size_t j = 0; j < n; ++j) {
                result.weights(i, j) = weights[parts[j]] / sizes[parts[j]];
                add_times(result.context, i, weights[j], v, j);
            }
        }
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace headlight::reference
