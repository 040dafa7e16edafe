#include "tests/reference/point_attention.h"

#include "tests/reference/pooled_rows.h"
#include "tests/reference/softmax.h"
#include "tests/reference/vector_norm.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

/// One vector looks at some others: its weights.
Row looks(const Row& who, const Matrix& at, const std::vector<bool>& allowed) {
    Row scores;
    for (std::size_t j = 0; j < at.rows; ++j)
        scores.push_back(allowed[j] ? product(who, at.row(j)) / std::sqrt(static_cast<Number>(at.cols)) : 0);
    return softmax(scores, allowed, 1);
}

/// The sum of weighted rows; those without a weight are not looked at.
Row gathered(const Row& weights, const Matrix& rows) {
    Row sum(rows.cols, Number(0));
    for (std::size_t j = 0; j < rows.rows; ++j)
        for (std::size_t c = 0; c < rows.cols && weights[j] != 0; ++c)
            sum[c] += weights[j] * rows(j, c);
    return sum;
}

void write_row(Matrix& matrix, std::size_t row, const Row& numbers) {
    std::ranges::copy(numbers, matrix.values.begin() + static_cast<std::ptrdiff_t>(row * matrix.cols));
}

/// What points took from the tokens, [s, m], and what they have: [s, d_v].
struct Found {
    Matrix weights, values;
};

Found read_by(const Matrix& points, const Head& head) {
    Found found{Matrix(points.rows, head.k.rows), Matrix(points.rows, head.v.cols)};
    for (std::size_t point = 0; point < points.rows; ++point) {
        const Row weights = looks(points.row(point), head.k, head.allowed.front());
        write_row(found.weights, point, weights);
        write_row(found.values, point, gathered(weights, head.v));
    }
    return found;
}

/// Each query looks at the points by their keys; through them it has a share of each token.
HeadResult read_from(const Found& found, const Matrix& point_keys, const Head& head) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const Row weights = looks(head.q.row(i), point_keys, std::vector<bool>(point_keys.rows, true));
        write_row(result.weights, i, gathered(weights, found.weights));
        write_row(result.context, i, gathered(weights, found.values));
    }
    return result;
}

void write_columns(Matrix& all, const Matrix& of_head, std::size_t head) {
    for (std::size_t row = 0; row < of_head.rows; ++row)
        for (std::size_t c = 0; c < of_head.cols; ++c)
            all(row, head * of_head.cols + c) = of_head(row, c);
}

Matrix block_of(const Matrix& asks, const Matrix& found, const Linear& layer, bool is_normed) {
    Matrix sum = found;
    for (std::size_t at = 0; at < sum.values.size(); ++at)
        sum.values[at] += asks.values[at];
    if (is_normed)
        sum = normed_rows(sum);
    const Matrix hidden = project(sum, layer);
    for (std::size_t at = 0; at < sum.values.size(); ++at)
        sum.values[at] += std::max<Number>(hidden.values[at], 0);
    if (is_normed)
        sum = normed_rows(sum);
    return sum;
}

/// Padding is none.
std::size_t real_queries(const Head& head, bool is_one_sequence) {
    const auto seen =
        static_cast<std::size_t>(std::count(head.allowed[0].begin(), head.allowed[0].end(), true));
    return is_one_sequence ? std::max<std::size_t>(seen, 1) : head.q.rows;
}

}  // namespace

std::vector<HeadResult> inducing_points(const std::vector<Head>& heads, const InducingPoints& setting) {
    const std::size_t count = heads.size(), width = heads.front().v.cols, n = heads.front().q.rows;
    std::vector<Found> found;
    Matrix state(setting.points.rows, count * width);
    for (const Head& head : heads) {
        found.push_back(read_by(columns_of_head(setting.points, head.number, count), head));
        write_columns(state, found.back().values, head.number);
    }
    if (setting.has_blocks)
        state = block_of(setting.points, state, setting.of_points, setting.is_normed);
    for (const InducingPoints::Look& look : setting.looks) {
        const Matrix q = project(state, {look.to_query, {}}), k = project(state, {look.to_key, {}}),
                     v = project(state, {look.to_value, {}});
        Matrix seen(state.rows, state.cols);
        for (std::size_t head = 0; head < count; ++head) {
            const Matrix keys = columns_of_head(k, head, count), values = columns_of_head(v, head, count);
            Matrix of_head(state.rows, width);
            for (std::size_t point = 0; point < state.rows; ++point)
                write_row(of_head, point,
                          gathered(looks(columns_of_head(q, head, count).row(point), keys,
                                         std::vector<bool>(keys.rows, true)),
                                   values));
            write_columns(seen, of_head, head);
        }
        const Matrix added = project(seen, {look.to_output, {}});
        for (std::size_t at = 0; at < state.values.size(); ++at)
            state.values[at] += added.values[at];
    }
    const Matrix keys = project(state, {setting.to_keys, {}});
    const Matrix values = setting.has_blocks ? project(state, {setting.to_values, {}}) : state;
    std::vector<HeadResult> results;
    Matrix asked(n, count * width), got(n, count * width);
    for (const Head& head : heads) {
        found[head.number].values = columns_of_head(values, head.number, count);
        results.push_back(read_from(found[head.number], columns_of_head(keys, head.number, count), head));
        if (setting.has_blocks) {
            write_columns(asked, head.q, head.number);
            write_columns(got, results.back().context, head.number);
        }
    }
    if (setting.has_blocks) {
        const Matrix contexts = block_of(asked, got, setting.of_tokens, setting.is_normed);
        for (const Head& head : heads)
            results[head.number].context = columns_of_head(contexts, head.number, count);
    }
    return results;
}

HeadResult agent_attention(const Head& head, std::size_t agents, bool is_one_sequence) {
    const std::size_t n = real_queries(head, is_one_sequence), count = std::min(agents, n);
    Matrix means(count, head.q.cols);
    for (std::size_t agent = 0; agent < count; ++agent) {
        const std::size_t first = agent * n / count, behind = (agent + 1) * n / count;
        for (std::size_t i = first; i < behind; ++i)
            for (std::size_t c = 0; c < head.q.cols; ++c)
                means(agent, c) += head.q(i, c) / static_cast<Number>(behind - first);
    }
    return read_from(read_by(means, head), means, head);
}

HeadResult orthogonal_attention(const Head& head, std::size_t points, bool is_one_sequence, Number first) {
    const std::size_t n = real_queries(head, is_one_sequence);
    std::vector<Row> directions;
    for (std::size_t i = 0; i < n; ++i)
        directions.push_back(direction(head.q.row(i)));
    std::vector<std::size_t> chosen{static_cast<std::size_t>(first * static_cast<Number>(n))};
    while (chosen.size() < std::min(points, n)) {
        std::size_t best = n;
        Number smallest = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (std::find(chosen.begin(), chosen.end(), i) != chosen.end())
                continue;
            Number largest = 0;
            for (const std::size_t other : chosen)
                largest = std::max(largest, std::abs(product(directions[i], directions[other])));
            if (best == n || largest < smallest) {
                best = i;
                smallest = largest;
            }
        }
        chosen.push_back(best);
    }
    Matrix landmarks(chosen.size(), head.q.cols);
    for (std::size_t r = 0; r < chosen.size(); ++r)
        for (std::size_t c = 0; c < head.q.cols; ++c)
            landmarks(r, c) = head.q(chosen[r], c);
    return read_from(read_by(landmarks, head), landmarks, head);
}

}  // namespace headlight::reference
