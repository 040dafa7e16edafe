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

HeadResult hopfield_retrieval(const Head& head, std::size_t steps, Number beta, const WeighScores& weigh) {
    Head asking = head;
    Matrix states = head.q, weights;
    for (std::size_t step = 0; step < steps; ++step) {
        Matrix scores(head.q.rows, head.k.rows);
        for (std::size_t i = 0; i < head.q.rows; ++i)
            for (std::size_t j = 0; j < head.k.rows; ++j)
                scores(i, j) = beta * product(states.row(i), head.k.row(j));
        asking.map = step;
        weights = weigh(asking, scores, head.allowed);
        for (std::size_t i = 0; i < head.q.rows; ++i)
            put(states, i, mixed(weights.row(i), head.k));
    }
    HeadResult result{weights, Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i)
        put(result.context, i, mixed(weights.row(i), head.v));
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

namespace {

Row content_of(const Matrix& memory, const Row& vector, Number strength) {
    Row scores;
    for (std::size_t cell = 0; cell < memory.rows; ++cell)
        scores.push_back(strength * cosine_score(vector, memory.row(cell)));
    return softmax(scores, std::vector<bool>(memory.rows, true), 1);
}

/// Methods of Graves et al. 2016: usage, allocation by sorted usage, links.
struct Links {
    Row usage, precedence;
    Matrix map;

    explicit Links(std::size_t cells)
        : usage(cells, Number(0)), precedence(cells, Number(0)), map(cells, cells) {}

    Row allocate(const Row& written, const Row& read, Number free) {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < usage.size(); ++i) {
            usage[i] = (usage[i] + written[i] - usage[i] * written[i]) * (1 - free * read[i]);
            order.push_back(i);
        }
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return usage[a] < usage[b]; });
        Row allocation(usage.size(), Number(0));
        Number product = 1;
        for (const std::size_t cell : order) {
            allocation[cell] = (1 - usage[cell]) * product;
            product *= usage[cell];
        }
        return allocation;
    }
    void write(const Row& weights) {
        Number sum = 0;
        for (const Number each : weights)
            sum += each;
        for (std::size_t i = 0; i < weights.size(); ++i)
            for (std::size_t j = 0; j < weights.size(); ++j)
                map(i, j) =
                    i == j ? 0 : (1 - weights[i] - weights[j]) * map(i, j) + weights[i] * precedence[j];
        for (std::size_t i = 0; i < weights.size(); ++i)
            precedence[i] = (1 - sum) * precedence[i] + weights[i];
    }
    /// Shares of cells before, alike and after.
    Row look(const Row& read, const Row& content, const Row& modes) const {
        Row weights(read.size(), Number(0));
        for (std::size_t i = 0; i < read.size(); ++i) {
            weights[i] = modes[1] * content[i];
            for (std::size_t j = 0; j < read.size(); ++j)
                weights[i] += modes[0] * map(j, i) * read[j] + modes[2] * map(i, j) * read[j];
        }
        return weights;
    }
};

}  // namespace

HeadResult turing_memory(const Head& head, const MemoryControl& control, std::size_t heads) {
    const std::size_t n = head.q.rows, width = head.v.cols, cells = control.cells,
                      numbers = control.has_links ? 8 : 12;
    const Matrix said = project(head.x, {control.weight, control.bias}),
                 erase = columns_of_head(project(head.x, {control.erase, control.erase_bias}), head.number,
                                         heads);
    const auto of = [](Number x) { return 1 / (1 + std::exp(-x)); };
    Matrix memory(cells, width);
    std::vector<Matrix> traces(width, Matrix(cells, n));
    Row written(cells, Number(0)), read = written;
    if (!control.has_links)
        written[0] = read[0] = 1;
    Links links(cells);
    const ReadControl moves;
    HeadResult result{Matrix(n, n), Matrix(n, width)};
    for (std::size_t t = 0; t < n; ++t) {
        Row raw;
        for (std::size_t c = 0; c < numbers; ++c)
            raw.push_back(said(t, numbers * head.number + c));
        const auto cosines = [&](const Row& vector) {
            Row all;
            for (std::size_t cell = 0; cell < cells; ++cell)
                all.push_back(cosine_score(vector, memory.row(cell)));
            return all;
        };
        if (control.has_links) {
            const Row near = content_of(memory, head.k.row(t), 1 + softplus(raw[1]));
            const Row free = links.allocate(written, read, of(raw[2]));
            for (std::size_t i = 0; i < cells; ++i)
                written[i] = of(raw[4]) * (of(raw[3]) * free[i] + (1 - of(raw[3])) * near[i]);
        } else {
            written = addressed(written, cosines(head.k.row(t)), Row(raw.begin() + 6, raw.end()), moves);
        }
        for (std::size_t i = 0; i < cells; ++i)
            for (std::size_t c = 0; c < width; ++c) {
                const Number left = 1 - written[i] * of(erase(t, c));
                memory(i, c) = memory(i, c) * left + written[i] * head.v(t, c);
                for (std::size_t j = 0; j < n; ++j)
                    traces[c](i, j) = traces[c](i, j) * left + (j == t ? written[i] : 0);
            }
        if (control.has_links) {
            links.write(written);
            const Row modes = softmax({raw[5], raw[6], raw[7]}, {true, true, true}, 1);
            read = links.look(read, content_of(memory, head.q.row(t), 1 + softplus(raw[0])), modes);
        } else {
            read = addressed(read, cosines(head.q.row(t)), Row(raw.begin(), raw.begin() + 6), moves);
        }
        put(result.context, t, mixed(read, memory));
        for (std::size_t c = 0; c < width; ++c) {
            const Row of_channel = mixed(read, traces[c]);
            for (std::size_t j = 0; j < n; ++j)
                result.weights(t, j) += of_channel[j] / static_cast<Number>(width);
        }
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
