#include "tests/reference/delta_states.h"

#include "tests/reference/linear_mixers.h"

#include <algorithm>

namespace headlight::reference {
namespace {

/// S [d_k, columns of the values].
struct State {
    Matrix numbers;

    /// diag(a) S; nothing where there are no gates.
    void fade(const Matrix& gates, std::size_t t) {
        for (std::size_t r = 0; r < numbers.rows && gates.rows > 0; ++r)
            for (std::size_t c = 0; c < numbers.cols; ++c)
                numbers(r, c) *= gates(t, r);
    }
    /// S^T e
    Row answer(const Row& asked) const {
        Row result(numbers.cols, Number(0));
        for (std::size_t r = 0; r < numbers.rows; ++r)
            for (std::size_t c = 0; c < numbers.cols; ++c)
                result[c] += asked[r] * numbers(r, c);
        return result;
    }
    /// S + w u^T
    void add(const Row& along, const Row& what) {
        for (std::size_t r = 0; r < numbers.rows; ++r)
            for (std::size_t c = 0; c < numbers.cols; ++c)
                numbers(r, c) += along[r] * what[c];
    }
};

Row scaled(Row x, Number factor) {
    for (Number& each : x)
        each *= factor;
    return x;
}

Row times(Row x, const Row& y) {
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] *= y[i];
    return x;
}

Row without(Row x, const Row& y, Number share = 1) {
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] -= share * y[i];
    return x;
}

Matrix unit_matrix(std::size_t size) {
    Matrix result(size, size);
    for (std::size_t i = 0; i < size; ++i)
        result(i, i) = 1;
    return result;
}

/// What each query, made by `query(t)`, reads of the states that step(state, t) leaves, [n, columns].
Matrix read_states(const Head& head, std::size_t columns,
                   const std::function<void(State& state, std::size_t t)>& step,
                   const std::function<Row(std::size_t t)>& query) {
    const std::size_t n = head.q.rows;
    std::vector<State> after{{Matrix(head.k.cols, columns)}};
    for (std::size_t t = 0; t < n; ++t) {
        State state = after.back();
        step(state, t);
        after.push_back(state);
    }
    Matrix result(n, columns);
    for (std::size_t t = 0; t < n; ++t) {
        const auto seen = static_cast<std::size_t>(std::ranges::count(head.allowed[t], true));
        const Row read = after[std::min(seen, t + 1)].answer(query(t));
        std::ranges::copy(read, result.values.begin() + static_cast<std::ptrdiff_t>(t * columns));
    }
    return result;
}

/// The map from values that are a unit matrix, the context from `values`; step(state, t, value).
HeadResult answers(const Head& head, const Matrix& values,
                   const std::function<void(State& state, std::size_t t, const Row& value)>& step,
                   const std::function<Row(std::size_t t)>& query) {
    const auto from = [&](const Matrix& given) {
        return read_states(
            head, given.cols, [&](State& state, std::size_t t) { step(state, t, given.row(t)); }, query);
    };
    return {from(unit_matrix(head.k.rows)), from(values)};
}

std::function<Row(std::size_t)> queries_of(const Head& head, Number scale) {
    return [&head, scale](std::size_t t) { return scaled(head.q.row(t), scale); };
}

}  // namespace

HeadResult rwkv7(const Head& head, const Rwkv7& rule) {
    const std::size_t n = head.k.rows, d = head.k.cols;
    Matrix removal(n, d), written(n, d);
    for (std::size_t t = 0; t < n; ++t)
        for (std::size_t c = 0; c < d; ++c) {
            removal(t, c) = head.k(t, c) * rule.k_k[c];
            written(t, c) = head.k(t, c) * (1 + (rule.a(t, c) - 1) * rule.k_a[c]);
        }
    removal = unit_rows(removal);
    HeadResult result = answers(
        head, head.v,
        [&](State& state, std::size_t t, const Row& value) {
            const Row found = state.answer(removal.row(t));
            state.fade(rule.w, t);
            state.add(scaled(times(rule.a.row(t), removal.row(t)), -1), found);
            state.add(written.row(t), value);
        },
        queries_of(head, rule.scale));
    for (std::size_t t = 0; t < n && !rule.r_k.empty(); ++t) {
        if (!head.allowed[t][t])
            continue;
        const Number own = rule.scale * product(head.q.row(t), times(written.row(t), rule.r_k));
        result.weights(t, t) += own;
        for (std::size_t c = 0; c < head.v.cols; ++c)
            result.context(t, c) += own * head.v(t, c);
    }
    return result;
}

HeadResult delta_product(const Head& head, const DeltaProduct& rule) {
    std::vector<Matrix> keys;
    for (const Matrix& each : rule.keys)
        keys.push_back(unit_rows(each));
    const auto from = [&](const std::vector<Matrix>& values) {
        return read_states(
            head, values.front().cols,
            [&](State& state, std::size_t t) {
                state.fade(rule.gates, t);
                for (std::size_t write = 0; write < keys.size(); ++write) {
                    const Row key = keys[write].row(t);
                    const Row error = without(values[write].row(t), state.answer(key));
                    state.add(scaled(key, rule.strengths(t, write)), error);
                }
            },
            queries_of(head, rule.scale));
    };
    return {from(std::vector<Matrix>(keys.size(), unit_matrix(head.k.rows))), from(rule.values)};
}

HeadResult gated_delta_2(const Head& head, const GatedDelta2& rule) {
    const Matrix keys = unit_rows(head.k);
    Matrix values = head.v;
    for (std::size_t i = 0; i < values.values.size(); ++i)
        values.values[i] *= rule.writes.values[i];
    return answers(
        head, values,
        [&](State& state, std::size_t t, const Row& value) {
            state.fade(rule.gates, t);
            const Row found = state.answer(times(rule.erases.row(t), keys.row(t)));
            state.add(keys.row(t), without(value, found));
        },
        queries_of(head, rule.scale));
}

HeadResult comba(const Head& head, const Comba& rule) {
    const Matrix keys = unit_rows(head.k);
    return answers(
        head, head.v,
        [&](State& state, std::size_t t, const Row& value) {
            const Row before = state.answer(keys.row(t));
            state.fade(rule.gates, t);
            const Row found = rule.asks_first ? before : state.answer(keys.row(t));
            state.add(scaled(keys.row(t), rule.strengths[t]), without(value, found, rule.feedback));
        },
        [&](std::size_t t) {
            return scaled(without(head.q.row(t), keys.row(t), rule.correction), rule.scale);
        });
}

HeadResult memory_mixture(const Head& head, const MemoryMixture& rule) {
    const std::size_t n = head.q.rows;
    HeadResult result{Matrix(n, n), Matrix(n, rule.values.front().cols)};
    for (std::size_t memory = 0; memory < rule.keys.size(); ++memory) {
        const Matrix keys = unit_rows(rule.keys[memory]);
        const HeadResult one = answers(
            head, rule.values[memory],
            [&](State& state, std::size_t t, const Row& value) {
                if (!rule.takes[t][memory])
                    return;
                for (Number& number : state.numbers.values)
                    number *= rule.gates(t, memory);
                state.add(scaled(keys.row(t), rule.strengths(t, memory)),
                          without(value, state.answer(keys.row(t))));
            },
            queries_of(head, rule.scale));
        for (std::size_t t = 0; t < n; ++t) {
            for (std::size_t j = 0; j < n; ++j)
                result.weights(t, j) += rule.shares(t, memory) * one.weights(t, j);
            for (std::size_t c = 0; c < one.context.cols; ++c)
                result.context(t, c) += rule.shares(t, memory) * one.context(t, c);
        }
    }
    return result;
}

HeadResult longhorn(const Head& head, const Row& beta, bool is_diagonal, Number scale) {
    return answers(
        head, head.v,
        [&](State& state, std::size_t t, const Row& value) {
            const Row key = head.k.row(t);
            const Number step = beta[t] / (1 + beta[t] * product(key, key));
            const Row found = state.answer(key);
            for (std::size_t r = 0; r < key.size() && is_diagonal; ++r)
                for (std::size_t c = 0; c < value.size(); ++c)
                    state.numbers(r, c) *= 1 - step * key[r] * key[r];
            state.add(scaled(key, step), is_diagonal ? value : without(value, found));
        },
        queries_of(head, scale));
}

}  // namespace headlight::reference
