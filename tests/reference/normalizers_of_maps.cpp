#include "tests/reference/normalizers_of_maps.h"

#include "tests/reference/softmax.h"
#include "tests/reference/splitmix.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::reference {
namespace {

bool is_empty(const std::vector<bool>& allowed) {
    return std::find(allowed.begin(), allowed.end(), true) == allowed.end();
}

/// ln of the sum of exp(x).
Number log_sum(const Row& x) {
    const Number largest = *std::max_element(x.begin(), x.end());
    Number sum = 0;
    for (const Number each : x)
        sum += std::exp(each - largest);
    return largest + std::log(sum);
}

}  // namespace

Matrix sinkhorn(const Matrix& scores, const Allowed& allowed, Number temperature, std::size_t iterations) {
    Matrix logarithms = scores;
    for (Number& each : logarithms.values)
        each /= temperature;
    Number rows = 0, columns = 0;
    for (std::size_t i = 0; i < scores.rows; ++i)
        rows += is_empty(allowed[i]) ? 0 : 1;
    std::vector<std::vector<bool>> looks(scores.cols);  // [key][query]
    for (std::size_t j = 0; j < scores.cols; ++j) {
        for (std::size_t i = 0; i < scores.rows; ++i)
            looks[j].push_back(allowed[i][j]);
        columns += is_empty(looks[j]) ? 0 : 1;
    }
    const auto divide_every_row = [&] {
        for (std::size_t i = 0; i < scores.rows; ++i) {
            const Row row = log_softmax(logarithms.row(i), allowed[i]);
            for (std::size_t j = 0; j < scores.cols && !is_empty(allowed[i]); ++j)
                logarithms(i, j) = row[j];
        }
    };
    divide_every_row();
    for (std::size_t iteration = 1; iteration < iterations; ++iteration) {
        for (std::size_t j = 0; j < scores.cols; ++j) {
            Row column;
            for (std::size_t i = 0; i < scores.rows; ++i)
                column.push_back(logarithms(i, j));
            column = log_softmax(column, looks[j]);
            for (std::size_t i = 0; i < scores.rows && !is_empty(looks[j]); ++i)
                logarithms(i, j) = column[i] + std::log(rows / columns);
        }
        divide_every_row();
    }
    Matrix map(scores.rows, scores.cols);
    for (std::size_t i = 0; i < map.rows; ++i)
        for (std::size_t j = 0; j < map.cols; ++j)
            map(i, j) = allowed[i][j] ? std::exp(logarithms(i, j)) : 0;
    return map;
}

Matrix transport_with_dustbin(const Matrix& scores, const Allowed& allowed, Number temperature, Number bin,
                              std::size_t iterations) {
    std::vector<std::size_t> queries, keys;  // that may look at something, or be looked at
    for (std::size_t i = 0; i < scores.rows; ++i)
        if (!is_empty(allowed[i]))
            queries.push_back(i);
    for (std::size_t j = 0; j < scores.cols; ++j)
        if (std::any_of(queries.begin(), queries.end(), [&](std::size_t i) { return allowed[i][j]; }))
            keys.push_back(j);
    const std::size_t n = queries.size(), m = keys.size();
    Matrix map(scores.rows, scores.cols);
    if (n == 0)
        return map;
    const auto score = [&](std::size_t i, std::size_t j) {
        if (i == n || j == m)
            return bin;
        return allowed[queries[i]][keys[j]] ? scores(queries[i], keys[j]) / temperature
                                            : -std::numeric_limits<Number>::infinity();
    };
    Row u(n + 1, Number(0)), v(m + 1, Number(0));
    for (std::size_t iteration = 0; iteration < iterations; ++iteration) {
        for (std::size_t j = 0; j <= m && iteration > 0; ++j) {
            Row column;
            for (std::size_t i = 0; i <= n; ++i)
                column.push_back(score(i, j) + u[i]);
            v[j] = std::log(j == m ? static_cast<Number>(n) : Number(1)) - log_sum(column);
        }
        for (std::size_t i = 0; i <= n; ++i) {
            Row row;
            for (std::size_t j = 0; j <= m; ++j)
                row.push_back(score(i, j) + v[j]);
            u[i] = std::log(i == n ? static_cast<Number>(m) : Number(1)) - log_sum(row);
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j)
            map(queries[i], keys[j]) = std::exp(score(i, j) + u[i] + v[j]);
    return map;
}

Allowed keys_of_draws(std::size_t queries, std::size_t keys, std::size_t count, std::uint64_t seed) {
    Allowed drawn;
    for (std::size_t i = 0; i < queries && count > 0; ++i) {
        drawn.emplace_back(keys, false);
        for (std::uint64_t draw = 0; draw < count; ++draw)
            drawn.back()[child(child(seed, i), draw) % keys] = true;
    }
    return drawn;
}

Matrix prob_sparse(const Matrix& scores, const Allowed& allowed, Number temperature, std::size_t active,
                   const Allowed& drawn) {
    Row spread;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < scores.rows; ++i) {
        Number largest = 0, sum = 0, count = 0;
        for (std::size_t j = 0; j < scores.cols; ++j)
            if (allowed[i][j] && (drawn.empty() || drawn[i][j])) {
                largest = count == 0 ? scores(i, j) : std::max(largest, scores(i, j));
                sum += scores(i, j);
                count += 1;
            }
        spread.push_back(count == 0 ? 0 : largest - sum / count);
        order.push_back(i);
    }
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return spread[a] > spread[b]; });
    Matrix map(scores.rows, scores.cols);
    for (std::size_t place = 0; place < order.size(); ++place) {
        const std::size_t i = order[place];
        const Row row = place < active ? scores.row(i) : Row(scores.cols, Number(0));
        const Row weights = softmax(row, allowed[i], temperature);
        for (std::size_t j = 0; j < map.cols; ++j)
            map(i, j) = weights[j];
    }
    return map;
}

Matrix slot(const Matrix& scores, const Allowed& allowed, Number temperature) {
    Matrix map(scores.rows, scores.cols);
    for (std::size_t j = 0; j < map.cols; ++j) {
        Row column;
        std::vector<bool> may;
        for (std::size_t i = 0; i < map.rows; ++i) {
            column.push_back(scores(i, j) / temperature);
            may.push_back(allowed[i][j]);
        }
        const Row logarithms = log_softmax(column, may);
        for (std::size_t i = 0; i < map.rows; ++i)
            map(i, j) = logarithms[i];
    }
    for (std::size_t i = 0; i < map.rows; ++i) {  // e^(l_ij) / sum of e^(l_ij)
        const Row weights = softmax(map.row(i), allowed[i], 1);
        for (std::size_t j = 0; j < map.cols; ++j)
            map(i, j) = weights[j];
    }
    return map;
}

Matrix dual_softmax(const Matrix& scores, const Allowed& allowed, Number temperature) {
    Matrix map(scores.rows, scores.cols);
    for (std::size_t j = 0; j < map.cols; ++j) {
        Row column;
        std::vector<bool> may;
        for (std::size_t i = 0; i < map.rows; ++i) {
            column.push_back(scores(i, j));
            may.push_back(allowed[i][j]);
        }
        const Row of_column = softmax(column, may, temperature);
        for (std::size_t i = 0; i < map.rows; ++i)
            map(i, j) = of_column[i];
    }
    for (std::size_t i = 0; i < map.rows; ++i) {
        const Row of_row = softmax(scores.row(i), allowed[i], temperature);
        for (std::size_t j = 0; j < map.cols; ++j)
            map(i, j) *= of_row[j];
    }
    return map;
}

Matrix monotonic(const Matrix& scores, const Allowed& allowed, Number temperature, Number bias, bool hard) {
    Matrix map(scores.rows, scores.cols);
    Row before(scores.cols, Number(0));
    before[0] = 1;
    for (std::size_t i = 0; i < map.rows; ++i) {
        if (is_empty(allowed[i]))
            continue;
        Row p(scores.cols, Number(0));
        for (std::size_t j = 0; j < p.size(); ++j) {
            if (allowed[i][j])
                p[j] = 1 / (1 + std::exp(-(scores(i, j) / temperature + bias)));
            if (hard)
                p[j] = p[j] > 0.5 ? 1 : 0;
        }
        for (std::size_t start = 0; start < p.size(); ++start) {
            Number arrives = before[start];
            for (std::size_t j = start; j < p.size(); ++j) {
                map(i, j) += arrives * p[j];
                arrives *= 1 - p[j];
            }
        }
        before = map.row(i);
    }
    return map;
}

Matrix chunkwise(const Matrix& scores, const Allowed& allowed, Number temperature, Number bias, bool hard,
                 std::size_t width) {
    const Matrix stops = monotonic(scores, allowed, temperature, bias, hard);
    const std::size_t w = width == 0 ? scores.cols : width;
    Matrix map(scores.rows, scores.cols);
    for (std::size_t i = 0; i < map.rows; ++i) {
        for (std::size_t k = 0; k < map.cols; ++k) {
            std::vector<bool> chunk(map.cols, false);
            for (std::size_t l = k + 1 > w ? k + 1 - w : 0; l <= k; ++l)
                chunk[l] = allowed[i][l];
            const Row weights = softmax(scores.row(i), chunk, temperature);
            for (std::size_t j = 0; j <= k; ++j)
                map(i, j) += stops(i, k) * weights[j];
        }
    }
    return map;
}

}  // namespace headlight::reference
