#include "tests/reference/compressed_entries.h"

#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

struct OneEntry {
    Row vector;
    Row shares;  ///< of each token, in the mean of the features
};

std::vector<OneEntry> entries_of(const Matrix& tokens, std::size_t count, const CompressedEntries& given,
                                 const EntryWeights& weights) {
    const Matrix contents = project(tokens, {weights.W, {}}), gates = project(tokens, {weights.W_gate, {}});
    const std::size_t width = weights.g.size();
    std::vector<OneEntry> entries;
    for (std::size_t w = 0; w < count; ++w) {
        OneEntry entry{Row(width, Number(0)), Row(tokens.rows, Number(0))};
        for (std::size_t feature = 0; feature < width; ++feature) {
            Row logits, mixed;
            std::vector<std::size_t> places;
            const auto add_window = [&](std::size_t window, std::size_t series) {
                for (std::size_t place = 0; place < given.block; ++place) {
                    const std::size_t token = window * given.block + place, at = series * width + feature;
                    places.push_back(token);
                    logits.push_back(gates(token, at) + weights.B(place, at));
                    mixed.push_back(contents(token, at));
                }
            };
            if (given.overlaps && w > 0)
                add_window(w - 1, 0);
            add_window(w, given.overlaps ? 1 : 0);
            const Row shares = softmax_of_all(logits);
            for (std::size_t i = 0; i < places.size(); ++i) {
                entry.vector[feature] += shares[i] * mixed[i];
                entry.shares[places[i]] += shares[i] / static_cast<Number>(width);
            }
        }
        const Number root = std::sqrt(product(entry.vector, entry.vector) / static_cast<Number>(width));
        for (std::size_t feature = 0; feature < width; ++feature)
            entry.vector[feature] *= weights.g[feature] / (root == 0 ? 1 : root);
        entries.push_back(entry);
    }
    return entries;
}

/// Turns neighbours among the first `rotated` features.
Row turned_by_place(Row x, Number place, std::size_t rotated) {
    for (std::size_t c = 0; c < rotated; c += 2) {
        const Number angle =
            place * std::pow(Number(10000), -static_cast<Number>(c) / static_cast<Number>(rotated));
        const Number a = x[c], b = x[c + 1];
        x[c] = a * std::cos(angle) - b * std::sin(angle);
        x[c + 1] = a * std::sin(angle) + b * std::cos(angle);
    }
    return x;
}

/// Which of the first `seen` entries are read.
std::vector<bool> read_entries(const Head& head, std::size_t t, std::size_t seen,
                               const std::vector<OneEntry>& index, const CompressedEntries& given) {
    std::vector<std::size_t> order;
    Row worth;
    for (std::size_t w = 0; w < seen; ++w) {
        order.push_back(w);
        Number sum = 0;
        for (std::size_t h = 0; h < given.index_heads && given.kept > 0; ++h) {
            Number match = 0, counts = 0;
            for (std::size_t c = 0; c < head.x.cols; ++c) {
                counts += head.x(t, c) * given.W_index_w(c, h);
                for (std::size_t i = 0; i < index[w].vector.size(); ++i)
                    match += head.x(t, c) * given.W_index_q(c, h * index[w].vector.size() + i) *
                             index[w].vector[i];
            }
            sum += counts * std::max(match, Number(0));
        }
        worth.push_back(sum);
    }
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return worth[a] > worth[b]; });
    std::vector<bool> read(seen, given.kept == 0);
    for (std::size_t place = 0; place < std::min(given.kept, seen); ++place)
        read[order[place]] = true;
    return read;
}

}  // namespace

HeadResult compressed_entries(const Head& head, const CompressedEntries& given) {
    const std::size_t n = head.q.rows, m = head.k.rows, width = head.k.cols;
    const auto ends_at = [&](std::size_t t) {
        return static_cast<std::size_t>(std::count(head.allowed[t].begin(), head.allowed[t].end(), true));
    };
    const std::size_t count = ends_at(n - 1) / given.block;
    const auto entries = entries_of(head.y, count, given, given.entry);
    const auto index =
        given.kept > 0 ? entries_of(head.y, count, given, given.index) : std::vector<OneEntry>();
    const Number root = std::sqrt(static_cast<Number>(width));
    HeadResult result{Matrix(n, m), Matrix(n, width)};
    for (std::size_t t = 0; t < n; ++t) {
        const std::size_t end = ends_at(t), seen = end / given.block;
        const Row query = turned_by_place(head.q.row(t), static_cast<Number>(t), given.rotated);
        Row scores;
        std::vector<Row> values, shares;
        for (std::size_t j = end > given.window ? end - given.window : 0; j < end; ++j) {
            scores.push_back(
                product(query, turned_by_place(head.k.row(j), static_cast<Number>(j), given.rotated)) / root);
            values.push_back(turned_by_place(head.v.row(j), static_cast<Number>(j), given.rotated));
            shares.emplace_back(m, Number(0));
            shares.back()[j] = 1;
        }
        const std::vector<bool> read = read_entries(head, t, seen, index, given);
        for (std::size_t w = 0; w < seen; ++w) {
            if (!read[w])
                continue;
            const Row vector =
                turned_by_place(entries[w].vector, static_cast<Number>(w * given.block), given.rotated);
            scores.push_back(product(query, vector) / root);
            values.push_back(vector);
            shares.push_back(entries[w].shares);
        }
        if (given.has_sink)
            scores.push_back(given.sink);
        const Row weights = softmax_of_all(scores);
        Row context(width, Number(0));
        for (std::size_t i = 0; i < values.size(); ++i) {
            for (std::size_t c = 0; c < width; ++c)
                context[c] += weights[i] * values[i][c];
            for (std::size_t j = 0; j < m; ++j)
                result.weights(t, j) += weights[i] * shares[i][j];
        }
        context = turned_by_place(context, -static_cast<Number>(t), given.rotated);
        for (std::size_t c = 0; c < width; ++c)
            result.context(t, c) = context[c];
    }
    return result;
}

}  // namespace headlight::reference
