#include "tests/reference/gated_states.h"

#include "tests/reference/linear_mixers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::reference {
namespace {

HeadResult no_weights(const Head& head) {
    return {Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
}

void add_value(HeadResult& result, const Head& head, std::size_t query, std::size_t key) {
    for (std::size_t c = 0; c < head.v.cols && result.weights(query, key) != 0; ++c)
        result.context(query, c) += result.weights(query, key) * head.v(key, c);
}

}  // namespace

HeadResult mlstm(const Head& head, const Row& raw_inputs, const Row& raw_forgets) {
    HeadResult result = no_weights(head);
    const Number root = std::sqrt(static_cast<Number>(head.k.cols));
    Number m = -std::numeric_limits<Number>::infinity();
    Row left;  // of each key so far, over exp(m)
    for (std::size_t t = 0; t < head.k.rows; ++t) {
        const Number log_forget = -softplus(-raw_forgets[t]);
        const Number next = std::max(log_forget + m, raw_inputs[t]);
        for (Number& each : left)
            each *= std::exp(log_forget + m - next);
        left.push_back(std::exp(raw_inputs[t] - next));
        m = next;
        Number sum = 0;  // q . n
        for (std::size_t j = 0; j <= t; ++j)
            if (head.allowed[t][j])
                sum += result.weights(t, j) = product_of_rows(head.q, t, head.k, j) / root * left[j];
        const Number divisor = std::max(std::abs(sum), std::exp(-m));
        for (std::size_t j = 0; j <= t; ++j) {
            result.weights(t, j) = divisor > 0 ? result.weights(t, j) / divisor : 0;
            add_value(result, head, t, j);
        }
    }
    return result;
}

HeadResult rwkv6(const Head& head, const Matrix& w, const Row& u, Number scale) {
    HeadResult result = no_weights(head);
    std::vector<Row> state;  // a row for each key: its part of S, were its value one of a unit matrix
    for (std::size_t t = 0; t < head.k.rows; ++t) {
        Row own = head.k.row(t);
        for (std::size_t c = 0; c < own.size(); ++c)
            own[c] *= u[c];
        state.push_back(own);
        for (std::size_t j = 0; j <= t; ++j)
            if (head.allowed[t][j]) {
                result.weights(t, j) = scale * product(head.q.row(t), state[j]);
                add_value(result, head, t, j);
            }
        for (std::size_t j = 0; j < t; ++j)
            for (std::size_t c = 0; c < own.size(); ++c)
                state[j][c] *= w(t, c);
        state[t] = head.k.row(t);
    }
    return result;
}

HeadResult log_linear(const Head& head, const LogLinear& rule) {
    HeadResult result = no_weights(head);
    for (std::size_t t = 0; t < head.k.rows; ++t) {
        const auto read = [&](std::size_t begin, std::size_t end, std::size_t level) {
            for (std::size_t j = begin; j < end; ++j) {
                if (!head.allowed[t][j])
                    continue;
                Number weight = rule.scale * product_of_rows(head.q, t, head.k, j) *
                                (rule.strengths.empty() ? 1 : rule.strengths[j]) * rule.of_levels(t, level);
                for (std::size_t later = j + 1; later <= t; ++later)
                    weight *= rule.gates[later];
                result.weights(t, j) = weight;
                add_value(result, head, t, j);
            }
        };
        // The largest power of two that is left of t is the next block.
        std::size_t begin = 0, left = t;
        while (left > 0) {
            std::size_t size = 1, level = 1;
            while (2 * size <= left) {
                size *= 2;
                ++level;
            }
            read(begin, begin + size, level);
            begin += size;
            left -= size;
        }
        read(t, t + 1, 0);
    }
    return result;
}

}  // namespace headlight::reference
