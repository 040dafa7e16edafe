#include "tests/reference/corrected_states.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/linear_system.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

Number gate_at(const Row& gates, std::size_t t) { return gates.empty() ? Number(1) : gates[t]; }

/// How many tokens have written to the state that query t reads.
std::size_t written_before(const Head& head, std::size_t t) {
    return std::min(static_cast<std::size_t>(std::ranges::count(head.allowed[t], true)), t + 1);
}

/// The unit matrix [size, size].
Matrix units_of(std::size_t size) {
    Matrix units(size, size);
    for (std::size_t i = 0; i < size; ++i)
        units(i, i) = 1;
    return units;
}

/// What each query, `asks`, reads of states [d_k, columns], the first of which is before any token: S^T q.
Matrix read_of_states(const Head& head, const Matrix& asks, const std::vector<Matrix>& states) {
    Matrix result(head.q.rows, states.front().cols);
    for (std::size_t t = 0; t < head.q.rows; ++t) {
        const Matrix& state = states[written_before(head, t)];
        for (std::size_t a = 0; a < state.rows; ++a)
            for (std::size_t c = 0; c < state.cols; ++c)
                result(t, c) += asks(t, a) * state(a, c);
    }
    return result;
}

Matrix times_number(Matrix x, Number factor) {
    for (Number& each : x.values)
        each *= factor;
    return x;
}

/// What each feature of each written key is multiplied by.
Matrix preconditioners(const Matrix& keys, const PreconditionedDelta& rule) {
    Matrix result(keys.rows, keys.cols);
    Row squares(keys.cols, Number(0));
    for (std::size_t t = 0; t < keys.rows; ++t)
        for (std::size_t c = 0; c < keys.cols; ++c) {
            squares[c] = gate_at(rule.curvature_gates, t) * squares[c] +
                         rule.curvature_strengths[t] * keys(t, c) * keys(t, c);
            const Number z = std::log(squares[c] + Number(1e-6)) - rule.center;
            result(t, c) = std::pow(rule.range, -z / (1 + std::abs(z)));
        }
    return result;
}

}  // namespace

HeadResult preconditioned_delta(const Head& head, const PreconditionedDelta& rule) {
    const Matrix keys = unit_rows(head.k), factors = preconditioners(keys, rule);
    const auto read = [&](const Matrix& values) {
        std::vector<Matrix> states{Matrix(keys.cols, values.cols)};
        for (std::size_t t = 0; t < keys.rows; ++t) {
            Matrix state = times_number(states.back(), gate_at(rule.gates, t));
            for (std::size_t a = 0; a < rule.feature_gates.cols; ++a)
                for (std::size_t c = 0; c < values.cols; ++c)
                    state(a, c) *= rule.feature_gates(t, a);
            for (std::size_t c = 0; c < values.cols; ++c) {
                Number found = 0;
                for (std::size_t a = 0; a < keys.cols; ++a)
                    found += keys(t, a) * state(a, c);
                const Number error = rule.strengths[t] * (values(t, c) - found);
                for (std::size_t a = 0; a < keys.cols; ++a)
                    state(a, c) += factors(t, a) * keys(t, a) * error;
            }
            states.push_back(state);
        }
        return times_number(read_of_states(head, head.q, states), rule.scale);
    };
    return {read(units_of(keys.rows)), read(head.v)};
}

HeadResult gated_oja(const Head& head, const Matrix& gates, const Row& strengths, Number scale) {
    const Matrix values = unit_rows(head.v);
    const std::size_t n = head.k.rows, d = head.k.cols, width = values.cols;
    const auto gate = [&](std::size_t t, std::size_t c) { return gates.rows > 0 ? gates(t, c) : Number(1); };
    Matrix written(n, d);
    std::vector<Matrix> states{Matrix(d, width)};
    for (std::size_t t = 0; t < n; ++t) {
        Matrix state = states.back();
        for (std::size_t a = 0; a < d; ++a) {
            Number found = 0;
            for (std::size_t c = 0; c < width; ++c) {
                state(a, c) *= gate(t, c);
                found += state(a, c) * values(t, c);
            }
            written(t, a) = strengths[t] * (head.k(t, a) - found);
            for (std::size_t c = 0; c < width; ++c)
                state(a, c) += written(t, a) * values(t, c);
        }
        states.push_back(state);
    }
    HeadResult result{Matrix(n, n), times_number(read_of_states(head, head.q, states), scale)};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < written_before(head, i); ++j)
            for (std::size_t c = 0; c < width; ++c) {
                Number left = scale * product(head.q.row(i), written.row(j)) / static_cast<Number>(width);
                for (std::size_t t = j + 1; t < written_before(head, i); ++t)
                    left *= gate(t, c);
                result.weights(i, j) += left;
            }
    return result;
}

HeadResult gated_kalma(const Head& head, const Kalma& rule) {
    const Matrix queries = unit_rows(head.q);
    Matrix keys = unit_rows(head.k);
    const std::size_t n = keys.rows, d = keys.cols;
    for (std::size_t t = 0; t < n; ++t)
        for (std::size_t a = 0; a < d; ++a)
            keys(t, a) *= rule.strengths[t];
    std::vector<Matrix> products{Matrix(d, d)};
    for (std::size_t t = 0; t < n; ++t) {
        Matrix next = times_number(products.back(), gate_at(rule.gates, t));
        for (std::size_t a = 0; a < d; ++a)
            for (std::size_t b = 0; b < d; ++b)
                next(a, b) += keys(t, a) * keys(t, b);
        products.push_back(next);
    }
    Matrix asks(n, d);
    for (std::size_t t = 0; t < n; ++t) {
        Matrix system = products[written_before(head, t)];
        const Number ridge = rule.ridge * std::sqrt(product(system.values, system.values));
        for (std::size_t a = 0; a < d; ++a)
            system(a, a) += ridge > 0 ? ridge : 1;
        const Row query = queries.row(t), sharp = solved(system, query);
        for (std::size_t a = 0; a < d; ++a)
            asks(t, a) = query[a] + gate_at(rule.mixing, t) * (sharp[a] - query[a]);
    }
    const auto read = [&](const Matrix& values) {
        std::vector<Matrix> states{Matrix(d, values.cols)};
        for (std::size_t t = 0; t < n; ++t) {
            Matrix state = times_number(states.back(), gate_at(rule.gates, t));
            for (std::size_t a = 0; a < d; ++a)
                for (std::size_t c = 0; c < values.cols; ++c)
                    state(a, c) += keys(t, a) * rule.strengths[t] * values(t, c);
            states.push_back(state);
        }
        return times_number(read_of_states(head, asks, states), rule.scale);
    };
    return {read(units_of(n)), read(head.v)};
}

}  // namespace headlight::reference
