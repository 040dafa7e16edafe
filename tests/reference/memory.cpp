#include "tests/reference/memory.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/pair_scores.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

Row mixed(const Row& weights, const Matrix& vectors) {
    Row sum(vectors.cols, Number(0));
    for (std::size_t j = 0; j < vectors.rows; ++j)
        for (std::size_t c = 0; c < vectors.cols && weights[j] != 0; ++c)
            sum[c] += weights[j] * vectors(j, c);
    return sum;
}

void put(Matrix& matrix, std::size_t row, const Row& numbers) {
    for (std::size_t c = 0; c < numbers.size(); ++c)
        matrix(row, c) = numbers[c];
}

/// Content, interpolation, shift, sharpening: w_t from w_(t-1), over as many cells as `cosines` has.
Row addressed(const Row& before, const Row& cosines, const Row& raw, const ReadControl& control) {
    const std::size_t cells = cosines.size();
    Row scores;
    for (const Number each : cosines)
        scores.push_back(softplus(raw[0]) * each);
    const Row content = softmax(scores, std::vector<bool>(cells, true), 1);
    if (!control.by_location)
        return content;
    const Number g = control.by_content ? 1 / (1 + std::exp(-raw[1])) : 0;
    const Row shift = softmax({raw[3], raw[4], raw[5]}, {true, true, true}, 1);
    Row shifted(cells, Number(0));
    for (std::size_t from = 0; from < cells; ++from) {
        const Number here = g * content[from] + (1 - g) * before[from];
        shifted[(from + cells - 1) % cells] += shift[0] * here;
        shifted[from] += shift[1] * here;
        shifted[(from + 1) % cells] += shift[2] * here;
    }
    const Number largest = *std::ranges::max_element(shifted);
    Number sum = 0;
    for (Number& each :
         shifted)  // of the shares of the largest, for a power may leave nothing of all of them
        sum += each = std::pow(each / largest, 1 + softplus(raw[2]));
    for (Number& each : shifted)
        each /= sum;
    return shifted;
}

}  // namespace

HeadResult hopfield_retrieval(const Head& head, std::size_t steps, Number beta) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        Row state = head.q.row(i), weights;
        for (std::size_t step = 0; step < steps; ++step) {
            Row scores;
            for (std::size_t j = 0; j < head.k.rows; ++j)
                scores.push_back(beta * product(state, head.k.row(j)));
            weights = softmax(scores, head.allowed[i], 1);
            state = mixed(weights, head.k);
        }
        put(result.weights, i, weights);
        put(result.context, i, mixed(weights, head.v));
    }
    return result;
}

HeadResult turing_read(const Head& head, const ReadControl& control) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    const Matrix said = project(head.x, {control.weight, control.bias});
    Row focus(head.k.rows, Number(0));
    focus[0] = 1;
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const auto cells = static_cast<std::size_t>(std::ranges::count(head.allowed[i], true));
        if (cells == 0)
            continue;
        Row cosines, raw;
        for (std::size_t j = 0; j < cells; ++j)
            cosines.push_back(cosine_score(head.q.row(i), head.k.row(j)));
        for (std::size_t c = 0; c < 6; ++c)
            raw.push_back(said(i, 6 * head.number + c));
        focus = addressed(focus, cosines, raw, control);
        focus.resize(head.k.rows, Number(0));
        put(result.weights, i, focus);
        put(result.context, i, mixed(focus, head.v));
    }
    return result;
}

HeadResult external_attention(const Head& head, const Matrix& memory_keys, const Matrix& memory_values) {
    const std::size_t n = head.q.rows, slots = memory_keys.rows;
    Matrix logarithms(n, slots);
    for (std::size_t slot = 0; slot < slots; ++slot) {
        Row scores;
        for (std::size_t i = 0; i < n; ++i)
            scores.push_back(product(head.q.row(i), memory_keys.row(slot)));
        const Row of_slot = log_softmax(scores, std::vector<bool>(n, true));
        for (std::size_t i = 0; i < n; ++i)
            logarithms(i, slot) = of_slot[i];
    }
    HeadResult result{Matrix(n, n), Matrix(n, memory_values.cols)};
    for (std::size_t i = 0; i < n; ++i) {
        // A token's shares divided by their sum: the softmax of their logarithms.
        const Row weights = softmax(logarithms.row(i), std::vector<bool>(slots, true), 1);
        for (std::size_t slot = 0; slot < slots; ++slot) {
            for (std::size_t c = 0; c < memory_values.cols; ++c)
                result.context(i, c) += weights[slot] * memory_values(slot, c);
            for (std::size_t j = 0; j < n; ++j)
                result.weights(i, j) += weights[slot] * std::exp(logarithms(j, slot));
        }
    }
    return result;
}

Allowed newest(const Allowed& allowed, std::size_t capacity) {
    Allowed kept = allowed;
    for (std::vector<bool>& row : kept) {
        std::size_t count = 0;
        for (std::size_t j = row.size(); j-- > 0;)
            if (row[j] && ++count > capacity)
                row[j] = false;
    }
    return kept;
}

}  // namespace headlight::reference
