#include "tests/reference/positions_grid.h"

#include "tests/reference/linear_mixers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace headlight::reference {
namespace {

Number index_difference(std::size_t a, std::size_t b) { return Number(a) - Number(b); }

/// bias(dy, dx) of every pair.
Matrix of_offsets(std::size_t queries, std::size_t keys, std::size_t columns,
                  const std::function<Number(Number, Number)>& bias) {
    Matrix all(queries, keys);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = 0; j < keys; ++j)
            all(i, j) =
                bias(index_difference(i / columns, j / columns), index_difference(i % columns, j % columns));
    return all;
}

Number log_of_size(Number x) { return x < 0 ? -std::log(1 - x) : std::log(1 + x); }

/// x W + b
Row offset_layer(const Row& x, const Matrix& W, const Row& b) {
    Row y = b;
    for (std::size_t c = 0; c < y.size(); ++c)
        for (std::size_t f = 0; f < x.size(); ++f)
            y[c] += x[f] * W(f, c);
    return y;
}

void normalize_units(Row& x, const Row& g, const Row& s) {
    Number mean = 0, variance = 0;
    for (const Number each : x)
        mean += each / Number(x.size());
    for (const Number each : x)
        variance += (each - mean) * (each - mean) / Number(x.size());
    for (std::size_t c = 0; c < x.size(); ++c)
        x[c] = g[c] * (x[c] - mean) / std::sqrt(variance + 1e-5) + s[c];
}

}  // namespace

Matrix grid_table_bias(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t window,
                       const Matrix& table, std::size_t head) {
    const Number most = Number(window) - 1;
    return of_offsets(queries, keys, columns, [&](Number dy, Number dx) {
        const auto clipped = [most](Number d) { return std::size_t(std::clamp(d, -most, most) + most); };
        return table(clipped(dy) * (2 * window - 1) + clipped(dx), head);
    });
}

Matrix continuous_bias(std::size_t queries, std::size_t keys, const ContinuousRule& rule, std::size_t head) {
    const std::size_t window = rule.released_window;
    const auto coordinate = [window](Number d) {
        if (window == 0)
            return log_of_size(d);
        return log_of_size(8 * d / Number(window > 1 ? window - 1 : 1)) / std::log(Number(2)) / 3;
    };
    return of_offsets(queries, keys, rule.columns, [&](Number dy, Number dx) {
        const Row units = offset_layer({coordinate(dy), coordinate(dx)}, rule.W_1, rule.b_1);
        Number bias = 0;
        for (std::size_t unit = 0; unit < units.size(); ++unit)
            bias += std::max(Number(0), units[unit]) * rule.W_2(unit, head);
        return window == 0 ? bias : 16 * sigmoid(bias);
    });
}

Matrix dynamic_bias(std::size_t queries, std::size_t keys, const OffsetNetwork& network, std::size_t head) {
    const auto bias = [&](Row x) {
        if (network.logarithmic)
            for (Number& each : x)
                each = log_of_size(each);
        for (std::size_t l = 0; l < network.W.size(); ++l) {
            x = offset_layer(x, network.W[l], network.b[l]);
            if (!network.g.empty())
                normalize_units(x, network.g[l], network.s[l]);
            for (Number& each : x)
                each = network.is_relu ? std::max(Number(0), each) : each * sigmoid(each);
        }
        return offset_layer(x, network.W_out, network.b_out)[head];
    };
    if (network.columns > 0)
        return of_offsets(queries, keys, network.columns, [&](Number dy, Number dx) {
            return bias({dy, dx});
        });
    // A line is a grid of a single row.
    return of_offsets(queries, keys, std::max(queries, keys), [&](Number, Number dx) { return bias({dx}); });
}

Matrix pope_scores(const Matrix& q, const Matrix& k, const Row& delta, Number base) {
    const auto softplus = [](Number x) {
        return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
    };
    Matrix scores(q.rows, k.rows);
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j)
            for (std::size_t c = 0; c < q.cols; ++c) {
                const Number speed = std::exp(-std::log(base) * Number(c) / Number(q.cols));
                const Number phase = std::clamp(delta[c], -2 * std::numbers::pi_v<Number>, Number(0));
                scores(i, j) +=
                    softplus(q(i, c)) * softplus(k(j, c)) * std::cos(index_difference(i, j) * speed - phase);
            }
    return scores;
}

}  // namespace headlight::reference
