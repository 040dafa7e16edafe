#include "tests/reference/trapezoid_states.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace headlight::reference {
namespace {

Row over_its_size(Row x, const Row& bias) {
    Number mean = 0;
    for (const Number each : x)
        mean += each * each / static_cast<Number>(x.size());
    for (std::size_t c = 0; c < x.size(); ++c)
        x[c] = x[c] / std::sqrt(mean + Number(1e-5)) + bias[c];
    return x;
}

/// Pairs (2 i, 2 i + 1) turned by angle i.
Row turned_row(Row x, const Row& angles) {
    for (std::size_t pair = 0; pair < angles.size(); ++pair) {
        const Number first = x[2 * pair], second = x[2 * pair + 1];
        x[2 * pair] = first * std::cos(angles[pair]) - second * std::sin(angles[pair]);
        x[2 * pair + 1] = first * std::sin(angles[pair]) + second * std::cos(angles[pair]);
    }
    return x;
}

/// What each query reads of values [n, columns], token by token. Of one `channel` of the values the factors
/// are those of that feature in all columns; otherwise each column has its own.
Matrix read_trapezoids(const Head& head, const TrapezoidStates& rule, const Matrix& values,
                       std::optional<std::size_t> channel = {}) {
    const std::size_t n = head.k.rows, d = head.k.cols;
    std::vector<TrapezoidStates::Rank> ranks{{head.q, head.k, rule.bias_of_query, rule.bias_of_key}};
    ranks.insert(ranks.end(), rule.ranks.begin(), rule.ranks.end());
    const auto factor = [&](const Matrix& of_ranks, std::size_t rank, std::size_t column) {
        return of_ranks.rows == 0 ? Number(1) : of_ranks(rank, channel.value_or(column));
    };
    const auto vector_of = [&](const Matrix& vectors, std::size_t token, const Row& bias, const Row& angle) {
        const Row row = vectors.row(token);
        return turned_row(rule.has_norm ? over_its_size(row, bias) : row, angle);
    };
    std::vector<Matrix> states{Matrix(d, values.cols)};
    std::vector<Row> angles{Row(rule.turns.cols, Number(0))};
    Matrix before(d, values.cols);  // what the token before wrote
    for (std::size_t t = 0; t < n; ++t) {
        Row angle = angles.back();
        for (std::size_t pair = 0; pair < angle.size(); ++pair)
            angle[pair] += rule.steps[t] * rule.turns(t, pair);
        Matrix write(d, values.cols);
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            const Row key = vector_of(ranks[rank].k, t, ranks[rank].bias_of_key, angle);
            for (std::size_t a = 0; a < d; ++a)
                for (std::size_t c = 0; c < values.cols; ++c)
                    write(a, c) += key[a] * factor(rule.in, rank, c) * values(t, c);
        }
        const Number kept = std::exp(-rule.steps[t] * rule.rates[t]);
        const Number share = rule.shares.empty() ? Number(1) : rule.shares[t];
        Matrix state = states.back();
        for (std::size_t at = 0; at < state.values.size(); ++at)
            state.values[at] = kept * state.values[at] +
                               (1 - share) * rule.steps[t] * kept * before.values[at] +
                               share * rule.steps[t] * write.values[at];
        states.push_back(state);
        angles.push_back(angle);
        before = write;
    }
    Matrix result(head.q.rows, values.cols);
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const std::size_t read =
            std::min(static_cast<std::size_t>(std::ranges::count(head.allowed[i], true)), i + 1);
        for (std::size_t rank = 0; rank < ranks.size() && read > 0; ++rank) {
            const Row query = vector_of(ranks[rank].q, i, ranks[rank].bias_of_query, angles[read]);
            for (std::size_t a = 0; a < d; ++a)
                for (std::size_t c = 0; c < values.cols; ++c)
                    result(i, c) += rule.scale * factor(rule.out, rank, c) * query[a] * states[read](a, c);
        }
    }
    return result;
}

}  // namespace

HeadResult trapezoid_states(const Head& head, const TrapezoidStates& rule) {
    Matrix units(head.k.rows, head.k.rows);
    for (std::size_t t = 0; t < units.rows; ++t)
        units(t, t) = 1;
    if (rule.ranks.empty())
        return {read_trapezoids(head, rule, units), read_trapezoids(head, rule, head.v)};
    Matrix mean(head.q.rows, head.k.rows);
    for (std::size_t channel = 0; channel < head.v.cols; ++channel) {
        const Matrix map = read_trapezoids(head, rule, units, channel);
        for (std::size_t at = 0; at < mean.values.size(); ++at)
            mean.values[at] += map.values[at] / static_cast<Number>(head.v.cols);
    }
    return {mean, read_trapezoids(head, rule, head.v)};
}

}  // namespace headlight::reference
