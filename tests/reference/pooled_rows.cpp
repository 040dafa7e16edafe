#include "tests/reference/pooled_rows.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/normalizers_of_maps.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

/// Numbers of one text: what each token counts for, and what that makes.
struct PooledRow {
    Row weights, vector;
};

std::size_t tokens_seen(const Head& head) {
    return static_cast<std::size_t>(std::ranges::count(head.allowed.front(), true));
}

Row sum_by(const Row& weights, const Matrix& rows) {
    Row sum(rows.cols, Number(0));
    for (std::size_t j = 0; j < weights.size(); ++j)
        for (std::size_t c = 0; c < rows.cols && weights[j] != 0; ++c)  // padding may hold anything
            sum[c] += weights[j] * rows(j, c);
    return sum;
}

Row mean_of_first(const Matrix& rows, std::size_t count) {
    return sum_by(Row(count, 1 / static_cast<Number>(std::max<std::size_t>(count, 1))), rows);
}

/// Every query gets the mean of the rows.
HeadResult given_to_all(const Head& head, const std::vector<PooledRow>& rows) {
    HeadResult result{Matrix(head.q.rows, head.allowed.front().size()),
                      Matrix(head.q.rows, rows.front().vector.size())};
    const auto count = static_cast<Number>(rows.size());
    for (std::size_t i = 0; i < head.q.rows; ++i)
        for (const PooledRow& row : rows) {
            for (std::size_t j = 0; j < row.weights.size(); ++j)
                result.weights(i, j) += row.weights[j] / count;
            for (std::size_t c = 0; c < row.vector.size(); ++c)
                result.context(i, c) += row.vector[c] / count;
        }
    return result;
}

Row pooling_weights(const Head& head, const Row& state, const AttentionPooling& setting) {
    const std::size_t real = tokens_seen(head);
    Row scores, weights(head.k.rows, Number(0));
    for (std::size_t j = 0; j < real; ++j)
        scores.push_back(product(state, head.k.row(j)) * setting.beta);
    if (setting.mean_is_key)
        scores.push_back(product(state, mean_of_first(head.k, real)) * setting.beta);
    const Row shares = softmax_of_all(scores);
    for (std::size_t j = 0; j < real; ++j)
        weights[j] = shares[j] + (setting.mean_is_key ? shares[real] / static_cast<Number>(real) : 0);
    return weights;
}

/// tanh(x W + b) . u
Row level_scores(const Matrix& x, const PoolingLevel& level) {
    const Matrix hidden = project(x, level.layer);
    Row scores;
    for (std::size_t row = 0; row < hidden.rows; ++row) {
        scores.push_back(0);
        for (std::size_t c = 0; c < hidden.cols; ++c)
            scores.back() += std::tanh(hidden(row, c)) * level.context[c];
    }
    return scores;
}

}  // namespace

Matrix normed_rows(Matrix x) {
    const auto width = static_cast<Number>(x.cols);
    for (std::size_t row = 0; row < x.rows; ++row) {
        Number sum = 0, squares = 0;
        for (const Number number : x.row(row))
            sum += number;
        for (const Number number : x.row(row))
            squares += (number - sum / width) * (number - sum / width);
        for (std::size_t c = 0; c < x.cols; ++c)
            x(row, c) = (x(row, c) - sum / width) / std::sqrt(squares / width + static_cast<Number>(1e-5));
    }
    return x;
}

std::vector<HeadResult> attention_pooling(const std::vector<Head>& heads, const AttentionPooling& setting) {
    const std::size_t width = heads.front().v.cols;
    const std::size_t count = std::max<std::size_t>(setting.seeds.rows, 1);
    std::vector<std::vector<PooledRow>> pooled(heads.size());
    Matrix sums(count, heads.size() * width);  // H
    for (const Head& head : heads) {
        const std::size_t asking = setting.is_one_sequence ? tokens_seen(head) : head.q.rows;
        for (std::size_t row = 0; row < count; ++row) {
            const Row query = setting.seeds.rows > 0
                                  ? columns_of_head(setting.seeds, head.number, heads.size()).row(row)
                                  : mean_of_first(head.q, asking);
            Row state = query;
            for (std::size_t step = 1; step < setting.steps; ++step)
                state = sum_by(pooling_weights(head, state, setting), head.k);
            const Row weights = pooling_weights(head, state, setting);
            const Row found = sum_by(weights, head.v);
            pooled[head.number].push_back({weights, found});
            for (std::size_t c = 0; c < width && setting.layer; ++c)
                sums(row, head.number * width + c) = query[c] + found[c];
        }
    }
    if (setting.layer) {
        if (setting.is_normed)
            sums = normed_rows(sums);
        const Matrix layer = project(sums, *setting.layer);
        for (std::size_t at = 0; at < sums.values.size(); ++at)
            sums.values[at] += std::max<Number>(layer.values[at], 0);
        if (setting.is_normed)
            sums = normed_rows(sums);
    }
    std::vector<HeadResult> results;
    for (const Head& head : heads) {
        for (std::size_t row = 0; row < count && setting.layer; ++row)
            for (std::size_t c = 0; c < width; ++c)
                pooled[head.number][row].vector[c] = sums(row, head.number * width + c);
        results.push_back(given_to_all(head, pooled[head.number]));
    }
    return results;
}

HeadResult additive_pooling(const Head& head, const AdditivePooling& setting) {
    const Matrix hidden = project(head.q, {setting.V, {}});
    const Matrix gates = setting.U.rows > 0 ? project(head.q, {setting.U, {}}) : Matrix();
    std::vector<PooledRow> rows;
    for (std::size_t row = 0; row < setting.w.rows; ++row) {
        Row scores;
        for (std::size_t j = 0; j < head.q.rows; ++j) {
            scores.push_back(0);
            for (std::size_t c = 0; c < hidden.cols; ++c)
                scores.back() +=
                    setting.w(row, c) * std::tanh(hidden(j, c)) * (gates.rows > 0 ? sigmoid(gates(j, c)) : 1);
        }
        const Row weights = softmax(scores, head.allowed.front(), 1);
        rows.push_back({weights, sum_by(weights, head.q)});
    }
    return given_to_all(head, rows);
}

HeadResult hierarchical_pooling(const Head& head, const PoolingLevel& of_words,
                                const PoolingLevel& of_sentences, const std::vector<std::size_t>& lengths) {
    const std::size_t real = tokens_seen(head), m = head.q.rows;
    const Row word_scores = level_scores(head.q, of_words);
    std::vector<PooledRow> sentences;
    for (std::size_t number = 0, begin = 0; begin < real; ++number) {
        const std::size_t end = number < lengths.size() ? std::min(real, begin + lengths[number]) : real;
        std::vector<bool> is_in(m, false);
        for (std::size_t word = begin; word < end; ++word)
            is_in[word] = true;
        const Row weights = softmax(word_scores, is_in, 1);
        sentences.push_back({weights, sum_by(weights, head.q)});
        begin = end;
    }
    PooledRow text{Row(m, Number(0)), Row(head.q.cols, Number(0))};
    Matrix vectors(sentences.size(), head.q.cols);
    for (std::size_t s = 0; s < sentences.size(); ++s)
        for (std::size_t c = 0; c < vectors.cols; ++c)
            vectors(s, c) = sentences[s].vector[c];
    const Row shares = softmax_of_all(level_scores(vectors, of_sentences));
    for (std::size_t s = 0; s < sentences.size(); ++s) {
        for (std::size_t j = 0; j < m; ++j)
            text.weights[j] += shares[s] * sentences[s].weights[j];
        for (std::size_t c = 0; c < vectors.cols; ++c)
            text.vector[c] += shares[s] * vectors(s, c);
    }
    return given_to_all(head, {text});
}

HeadResult class_residual(const Head& head, const Matrix& classes, Number sharpness, Number lambda) {
    const std::size_t real = tokens_seen(head);
    std::vector<PooledRow> rows;
    for (std::size_t row = 0; row < classes.rows; ++row) {
        const Row m = classes.row(row);
        const Number length = std::sqrt(product(m, m));
        Row scores;
        for (std::size_t j = 0; j < head.q.rows; ++j)
            scores.push_back(length > 0 ? sharpness * product(head.q.row(j), m) / length : 0);
        Row weights = softmax(scores, head.allowed.front(), 1);
        for (std::size_t j = 0; j < real; ++j)
            weights[j] = 1 / static_cast<Number>(real) + lambda * weights[j];
        rows.push_back({weights, sum_by(weights, head.q)});
    }
    return given_to_all(head, rows);
}

HeadResult memory_hops(const Head& head, const MemoryHops& setting) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        Row u = head.q.row(i);
        for (std::size_t hop = 0; hop < setting.hops; ++hop) {
            const bool is_mapped = setting.mapping.rows > 0;
            const Matrix& memory = hop == 0 || is_mapped ? head.k
                                   : hop == 1            ? head.v
                                                         : setting.values[hop - 2];
            const Matrix& answers = hop == 0 || is_mapped ? head.v : setting.values[hop - 1];
            Row scores;
            for (std::size_t j = 0; j < memory.rows; ++j)
                scores.push_back(head.allowed[i][j] ? product(u, memory.row(j)) * setting.scale : 0);
            const Row p = softmax(scores, head.allowed[i], 1);
            const Row o = sum_by(p, answers);
            if (is_mapped)
                u = sum_by(u, setting.mapping);
            for (std::size_t c = 0; c < o.size(); ++c)
                u[c] += o[c];
            for (std::size_t j = 0; j < p.size(); ++j)
                result.weights(i, j) = p[j];
        }
        for (std::size_t c = 0; c < u.size(); ++c)
            result.context(i, c) = u[c];
    }
    return result;
}

HeadResult memory_tokens(const Head& head, const Matrix& memory_keys, const Matrix& memory_values) {
    const std::size_t s = memory_keys.rows, m = head.k.rows;
    HeadResult result{Matrix(head.q.rows, m), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        Row scores;
        std::vector<bool> may(s, true);
        const auto ask = [&](const Row& key) {
            scores.push_back(product(head.q.row(i), key) / std::sqrt(static_cast<Number>(key.size())));
        };
        for (std::size_t token = 0; token < s; ++token)
            ask(memory_keys.row(token));
        for (std::size_t j = 0; j < m; ++j) {
            ask(head.k.row(j));
            may.push_back(head.allowed[i][j]);
        }
        const Row weights = softmax(scores, may, 1);
        for (std::size_t at = 0; at < s + m; ++at)
            for (std::size_t c = 0; c < head.v.cols && weights[at] != 0; ++c)
                result.context(i, c) += weights[at] * (at < s ? memory_values(at, c) : head.v(at - s, c));
        for (std::size_t j = 0; j < m; ++j)
            result.weights(i, j) = weights[s + j];
    }
    return result;
}

std::vector<HeadResult> slot_attention(const std::vector<Head>& heads, const SlotAttention& setting) {
    const std::size_t n = heads.front().q.rows, d = heads.front().v.cols;
    Matrix slots = heads.front().x;
    std::vector<HeadResult> results;
    for (std::size_t round = 0; round < setting.rounds; ++round) {
        results.clear();
        Matrix queries = setting.is_normed ? normed_rows(slots) : slots;
        if (setting.to_query)
            queries = project(queries, *setting.to_query);
        Matrix found(n, heads.size() * d);
        for (const Head& head : heads) {
            const Matrix q = columns_of_head(queries, head.number, heads.size());
            Matrix scores(n, head.k.rows);
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < head.k.rows; ++j)
                    if (head.allowed[i][j])
                        scores(i, j) =
                            product(q.row(i), head.k.row(j)) / std::sqrt(static_cast<Number>(q.cols));
            results.push_back({slot(scores, head.allowed, 1), Matrix(n, d)});
            for (std::size_t i = 0; i < n; ++i) {
                const Row sum = sum_by(results.back().weights.row(i), head.v);
                std::ranges::copy(sum, found.values.begin() +
                                           static_cast<std::ptrdiff_t>(i * found.cols + head.number * d));
            }
        }
        if (setting.cell_input) {
            const Matrix input = project(found, *setting.cell_input),
                         state = project(slots, *setting.cell_state);
            const std::size_t width = slots.cols;
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t c = 0; c < width; ++c) {
                    const Number reset = sigmoid(input(i, c) + state(i, c));
                    const Number update = sigmoid(input(i, width + c) + state(i, width + c));
                    const Number next = std::tanh(input(i, 2 * width + c) + reset * state(i, 2 * width + c));
                    slots(i, c) = (1 - update) * next + update * slots(i, c);
                }
        } else {
            slots = found;
        }
        if (setting.layer) {
            Matrix hidden = project(normed_rows(slots), *setting.hidden);
            for (Number& unit : hidden.values)
                unit = std::max<Number>(unit, 0);
            const Matrix added = project(hidden, *setting.layer);
            for (std::size_t at = 0; at < slots.values.size(); ++at)
                slots.values[at] += added.values[at];
        }
    }
    for (const Head& head : heads)
        results[head.number].context = columns_of_head(slots, head.number, heads.size());
    return results;
}

}  // namespace headlight::reference
