#include "tests/reference/slot_memory.h"

#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::reference {
namespace {

/// rows <- diag(a) rows + w vector
void write_to_rows(Matrix& rows, const FadingWrites& by, std::size_t token, const Row& vector) {
    for (std::size_t r = 0; r < rows.rows; ++r)
        for (std::size_t c = 0; c < rows.cols; ++c)
            rows(r, c) = by.gates(token, r) * rows(r, c) + by.writes(token, r) * vector[c];
}

/// How many keys a query sees: the first ones.
std::size_t count_of_seen(const Head& head, std::size_t query) {
    return static_cast<std::size_t>(std::ranges::count(head.allowed[query], true));
}

}  // namespace

FadingWrites shares_so_far(const Matrix& numbers) {
    FadingWrites result{Matrix(numbers.rows, numbers.cols), Matrix(numbers.rows, numbers.cols)};
    for (std::size_t c = 0; c < numbers.cols; ++c) {
        Number largest = numbers.rows > 0 ? numbers(0, c) : 0, sum = 0;
        for (std::size_t t = 0; t < numbers.rows; ++t) {
            const Number next = std::max(largest, numbers(t, c));
            const Number before = sum * std::exp(largest - next), own = std::exp(numbers(t, c) - next);
            sum = before + own;
            largest = next;
            result.gates(t, c) = before / sum;
            result.writes(t, c) = own / sum;
        }
    }
    return result;
}

HeadResult slot_memory(const Head& head, const FadingWrites& rows, const NewestKeys& newest) {
    const std::size_t slots = rows.gates.cols, n = head.q.rows, m = head.k.rows;
    HeadResult result{Matrix(n, m), Matrix(n, head.v.cols)};
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t seen = count_of_seen(head, i), first = seen - std::min(seen, newest.count);
        if (seen == 0)
            continue;
        // The third memory has what is left of each token, as if its value were a row of the unit matrix.
        Matrix keys(slots, head.k.cols), values(slots, head.v.cols), tokens(slots, m);
        for (std::size_t t = 0; t < (newest.are_written ? seen : first); ++t) {
            Row own(m, Number(0));
            own[t] = 1;
            write_to_rows(keys, rows, t, head.k.row(t));
            write_to_rows(values, rows, t, head.v.row(t));
            write_to_rows(tokens, rows, t, own);
        }
        Row scores;
        for (std::size_t s = 0; s < slots; ++s)
            scores.push_back(product(head.q.row(i), keys.row(s)));
        for (std::size_t j = first; j < seen; ++j)
            scores.push_back(product(head.q.row(i), head.k.row(j)));
        for (Number& score : scores)
            score /= std::sqrt(static_cast<Number>(head.k.cols));
        const Row weights = softmax_of_all(scores);
        for (std::size_t s = 0; s < slots; ++s) {
            for (std::size_t j = 0; j < seen; ++j)
                result.weights(i, j) += weights[s] * tokens(s, j);
            for (std::size_t c = 0; c < head.v.cols; ++c)
                result.context(i, c) += weights[s] * values(s, c);
        }
        for (std::size_t j = first; j < seen; ++j) {
            result.weights(i, j) += weights[slots + j - first];
            for (std::size_t c = 0; c < head.v.cols; ++c)
                result.context(i, c) += weights[slots + j - first] * head.v(j, c);
        }
    }
    return result;
}

HeadResult cyclic_slots(const Head& head, const CyclicSlots& circle) {
    const std::size_t n = head.q.rows, m = head.k.rows;
    const auto count = static_cast<Number>(circle.slots);
    const auto share = [&](Number x) {
        Number sum = 1;
        for (std::size_t wave = 1; 2 * wave < circle.slots; ++wave)
            sum += 2 * std::cos(2 * std::numbers::pi_v<Number> * static_cast<Number>(wave) * x / count);
        return sum / count;
    };
    HeadResult result{Matrix(n, m), Matrix(n, head.v.cols)};
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t seen = count_of_seen(head, i);
        Matrix held(circle.slots, m);  // what each slot has of each key
        Number gone = 0, left = 1;
        for (std::size_t j = seen; j-- > 0;) {
            for (std::size_t r = 0; r < circle.slots; ++r)
                held(r, j) = left * circle.strengths[j] * share(static_cast<Number>(r) - gone);
            gone += circle.steps[j];
            left *= circle.gates[j];
        }
        Row scores(circle.slots, Number(0)), mixed(circle.slots, Number(0));
        for (std::size_t r = 0; r < circle.slots; ++r)
            for (std::size_t j = 0; j < seen; ++j)
                scores[r] += held(r, j) * product(head.q.row(i), head.k.row(j)) /
                             std::sqrt(static_cast<Number>(head.k.cols));
        for (std::size_t read = 0; read < circle.slots; ++read)
            mixed[read] = product(circle.mixes.row(read), scores);
        const Row weights = softmax_of_all(mixed);
        for (std::size_t j = 0; j < seen; ++j) {
            for (std::size_t r = 0; r < circle.slots; ++r)
                for (std::size_t read = 0; read < circle.slots; ++read)
                    result.weights(i, j) += weights[read] * circle.mixes(read, r) * held(r, j);
            for (std::size_t c = 0; c < head.v.cols; ++c)
                result.context(i, c) += result.weights(i, j) * head.v(j, c);
        }
    }
    return result;
}

}  // namespace headlight::reference
