#include "tests/reference/learned_memory.h"

#include <algorithm>

namespace headlight::reference {
namespace {

/// The values, and behind them a row of the unit matrix for each: what is read of that is the weights.
Matrix values_and_units(const Head& head) {
    const std::size_t m = head.k.rows, width = head.v.cols;
    Matrix targets(m, width + m);
    for (std::size_t j = 0; j < m; ++j) {
        for (std::size_t c = 0; c < width; ++c)
            targets(j, c) = head.v(j, c);
        targets(j, width + j) = 1;
    }
    return targets;
}

/// - step k^T (k M - target) of the token
Matrix step_of(const Head& head, const Matrix& memory, const Matrix& targets, std::size_t token,
               Number size) {
    Matrix step(memory.rows, memory.cols);
    for (std::size_t c = 0; c < memory.cols; ++c) {
        Number error = -targets(token, c);
        for (std::size_t a = 0; a < memory.rows; ++a)
            error += head.k(token, a) * memory(a, c);
        for (std::size_t a = 0; a < memory.rows; ++a)
            step(a, c) = -size * head.k(token, a) * error;
    }
    return step;
}

/// factor matrix + other
Matrix scaled_and_added(Number factor, Matrix matrix, const Matrix& other) {
    for (std::size_t i = 0; i < matrix.values.size(); ++i)
        matrix.values[i] = factor * matrix.values[i] + other.values[i];
    return matrix;
}

/// after[t] is the memory that t tokens have taught.
HeadResult read_memories(const Head& head, const std::vector<Matrix>& after, Number scale) {
    const std::size_t width = head.v.cols;
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, width)};
    for (std::size_t query = 0; query < head.q.rows; ++query) {
        const auto seen = static_cast<std::size_t>(std::ranges::count(head.allowed[query], true));
        const Matrix& memory = after[std::min(seen, query + 1)];
        for (std::size_t a = 0; a < memory.rows; ++a)
            for (std::size_t c = 0; c < memory.cols; ++c) {
                const Number part = scale * head.q(query, a) * memory(a, c);
                (c < width ? result.context(query, c) : result.weights(query, c - width)) += part;
            }
    }
    return result;
}

}  // namespace

HeadResult memory_with_momentum(const Head& head, const Momentum& rule, Number scale) {
    const Matrix targets = values_and_units(head), nothing(head.k.cols, targets.cols);
    std::vector<Matrix> after{nothing};
    Matrix motion = nothing;
    for (std::size_t t = 0; t < head.k.rows; ++t) {
        const Number momentum = rule.momenta.empty() ? 0 : rule.momenta[t];
        const Number kept = rule.losses.empty() ? 1 : 1 - rule.losses[t];
        motion = scaled_and_added(momentum, motion, step_of(head, after[t], targets, t, rule.steps[t]));
        after.push_back(scaled_and_added(kept, after[t], motion));
    }
    return read_memories(head, after, scale);
}

HeadResult memory_by_batches(const Head& head, const Row& steps, std::size_t batch, bool mean, Number scale) {
    const Matrix targets = values_and_units(head), nothing(head.k.cols, targets.cols);
    std::vector<Matrix> after{nothing};
    Matrix begun = nothing, added = nothing;
    for (std::size_t t = 0; t < head.k.rows; ++t) {
        if (t % batch == 0) {
            begun = after[t];
            added = nothing;
        }
        added = scaled_and_added(1, added, step_of(head, begun, targets, t, steps[t]));
        const Number share = mean ? 1 / static_cast<Number>(t % batch + 1) : Number(1);
        after.push_back(scaled_and_added(share, added, begun));
    }
    return read_memories(head, after, scale);
}

}  // namespace headlight::reference
