#include "tests/reference/trapezoid_states.h"

#include <algorithm>
#include <cmath>

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

/// What each query reads of values [n, columns], token by token.
Matrix read_trapezoids(const Head& head, const TrapezoidStates& rule, const Matrix& values) {
    const std::size_t n = head.k.rows, d = head.k.cols;
    std::vector<Matrix> states{Matrix(d, values.cols)};
    std::vector<Row> angles{Row(rule.turns.cols, Number(0))};
    Row before;  // the key of the token before
    for (std::size_t t = 0; t < n; ++t) {
        Row angle = angles.back();
        for (std::size_t pair = 0; pair < angle.size(); ++pair)
            angle[pair] += rule.steps[t] * rule.turns(t, pair);
        Row key = head.k.row(t);
        if (rule.has_norm)
            key = over_its_size(key, rule.bias_of_key);
        key = turned_row(key, angle);
        const Number kept = std::exp(-rule.steps[t] * rule.rates[t]);
        const Number share = rule.shares.empty() ? Number(1) : rule.shares[t];
        Matrix state = states.back();
        for (std::size_t a = 0; a < d; ++a)
            for (std::size_t c = 0; c < values.cols; ++c) {
                state(a, c) *= kept;
                if (t > 0)
                    state(a, c) += (1 - share) * rule.steps[t] * kept * before[a] * values(t - 1, c);
                state(a, c) += share * rule.steps[t] * key[a] * values(t, c);
            }
        states.push_back(state);
        angles.push_back(angle);
        before = key;
    }
    Matrix result(head.q.rows, values.cols);
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const std::size_t read =
            std::min(static_cast<std::size_t>(std::ranges::count(head.allowed[i], true)), i + 1);
        if (read == 0)
            continue;
        Row query = head.q.row(i);
        if (rule.has_norm)
            query = over_its_size(query, rule.bias_of_query);
        query = turned_row(query, angles[read]);
        for (std::size_t a = 0; a < d; ++a)
            for (std::size_t c = 0; c < values.cols; ++c)
                result(i, c) += rule.scale * query[a] * states[read](a, c);
    }
    return result;
}

}  // namespace

HeadResult trapezoid_states(const Head& head, const TrapezoidStates& rule) {
    Matrix units(head.k.rows, head.k.rows);
    for (std::size_t t = 0; t < units.rows; ++t)
        units(t, t) = 1;
    return {read_trapezoids(head, rule, units), read_trapezoids(head, rule, head.v)};
}

}  // namespace headlight::reference
