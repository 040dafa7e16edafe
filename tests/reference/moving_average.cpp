#include "tests/reference/moving_average.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::reference {
namespace {

Row layer_of_unit(const Row& x, const Matrix& W, const Row& b) {
    Row result = b;
    for (std::size_t c = 0; c < result.size(); ++c)
        for (std::size_t a = 0; a < x.size(); ++a)
            result[c] += x[a] * W(a, c);
    return result;
}

Row silu_of_row(Row x) {
    for (Number& each : x)
        each *= sigmoid(each);
    return x;
}

bool is_seen_by_some(const Head& head, std::size_t token) {
    return std::ranges::any_of(head.allowed, [token](const auto& row) { return bool(row[token]); });
}

/// h <- (1 - a d) h + a b x of each average, and silu(sum eta h / sqrt(averages) + omega x), token by token.
std::vector<Row> moving_averages(const Head& head, const MovingAverageUnit& unit) {
    const std::size_t n = head.q.rows, width = head.q.cols, count = unit.alpha.cols;
    Matrix averages(width, count);
    std::vector<Row> result;
    for (std::size_t t = 0; t < n; ++t) {
        Row mixed(width, Number(0));
        for (std::size_t c = 0; c < width; ++c) {
            for (std::size_t s = 0; s < count; ++s) {
                const Number taken = sigmoid(unit.alpha(c, s));
                averages(c, s) *= 1 - taken * sigmoid(unit.delta(c, s));
                if (is_seen_by_some(head, t))
                    averages(c, s) += taken * unit.beta(c, s) * head.q(t, c);
                mixed[c] += unit.eta(c, s) * averages(c, s) / std::sqrt(static_cast<Number>(count));
            }
            mixed[c] += unit.omega[c] * head.q(t, c);
        }
        result.push_back(silu_of_row(mixed));
    }
    return result;
}

/// Of a normal distribution with mean √½ and variance 1 / 4π the share below each score.
Row shares_below(const Row& scores, const std::vector<bool>& allowed) {
    Row weights(scores.size(), Number(0));
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (allowed[j])
            weights[j] =
                std::erfc((std::sqrt(Number(0.5)) - scores[j]) * std::sqrt(2 * std::numbers::pi_v<Number>)) /
                2;
    return weights;
}

}  // namespace

HeadResult moving_average_unit(const Head& head, const MovingAverageUnit& unit) {
    const std::size_t n = head.q.rows, width = head.q.cols;
    const std::vector<Row> means = moving_averages(head, unit);
    const auto offset = [&](std::size_t t, const Row& gamma, const Row& beta) {
        Row z = silu_of_row(layer_of_unit(means[t], unit.W_average, unit.b_average));
        for (std::size_t c = 0; c < width; ++c)
            z[c] = gamma[c] * z[c] + beta[c];
        return z;
    };
    HeadResult result{Matrix(n, n), Matrix(n, width)};
    for (std::size_t i = 0; i < n; ++i) {
        const Row query = offset(i, unit.gamma_q, unit.beta_q);
        const auto keys = std::count(head.allowed[i].begin(), head.allowed[i].end(), true);
        const Number divisor = unit.has_step ? static_cast<Number>(std::max<std::ptrdiff_t>(keys, 1))
                                             : std::sqrt(static_cast<Number>(width));
        Row scores;
        for (std::size_t j = 0; j < n; ++j)
            scores.push_back(product(query, offset(j, unit.gamma_k, unit.beta_k)) / divisor +
                             (j > i ? unit.distance_bias(1, j - i) : unit.distance_bias(0, i - j)));
        const Row weights =
            unit.has_step ? shares_below(scores, head.allowed[i]) : softmax(scores, head.allowed[i], 1);
        Row attended(width, Number(0));
        for (std::size_t j = 0; j < n; ++j) {
            if (!head.allowed[i][j])
                continue;
            result.weights(i, j) = weights[j];
            const Row value = silu_of_row(layer_of_unit(head.q.row(j), unit.W_value, unit.b_value));
            for (std::size_t c = 0; c < width; ++c)
                attended[c] += weights[j] * value[c];
        }
        const Row reset = silu_of_row(layer_of_unit(means[i], unit.W_reset, unit.b_reset)),
                  update = layer_of_unit(means[i], unit.W_update, unit.b_update);
        for (std::size_t c = 0; c < width; ++c)
            attended[c] *= reset[c];
        const Row candidate = silu_of_row(
            layer_of_unit(attended, unit.U, layer_of_unit(means[i], unit.W_candidate, unit.b_candidate)));
        for (std::size_t c = 0; c < width; ++c) {
            const Number open = sigmoid(update[c]);
            result.context(i, c) = open * candidate[c] + (1 - open) * head.q(i, c);
        }
    }
    return result;
}

}  // namespace headlight::reference
