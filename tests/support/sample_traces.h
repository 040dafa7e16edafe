#pragma once

// Traces made from closed formulas, so that pictures of them change only when the painter does.

#include "core/attention/trace.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::samples {

namespace detail {

constexpr double forbidden = -std::numeric_limits<double>::infinity();

/// A smooth number between -1 and 1 that differs for every place.
inline double wave(Index a, Index b, Index c) {
    return std::sin(1.7 * static_cast<double>(a) + 2.3 * static_cast<double>(b) +
                    0.9 * static_cast<double>(c * c));
}

/// The stages of softmax attention from query, key and value [head, token, feature], filled in row by row.
class Attention {
public:
    Attention(Index heads, Index queries, Index keys, Index width)
        : h(heads), n(queries), m(keys), d(width), trace(stages(heads, queries, keys, width)) {
        trace.spec.score.type = ScoreType::scaled_dot;
        trace.spec.heads.type = heads > 1 ? HeadsType::multi : HeadsType::single;
        trace.spec.heads.heads = heads;
    }

    double& at(const char* stage, Index head, Index row, Index column) {
        const Stage& found = *trace.find(stage);
        const Index rows = found.shape[found.shape.size() - 2], columns = found.shape.back();
        return trace.values(found)[static_cast<std::size_t>((head * rows + row) * columns + column)];
    }

    template <class Allowed>
    Trace finish(const Allowed& allowed) {
        for (Index head = 0; head < h; ++head)
            for (Index row = 0; row < n; ++row)
                finish_row(head, row, allowed);
        return trace;
    }

    Index h, n, m, d;
    Trace trace;

private:
    static std::vector<Stage> stages(Index h, Index n, Index m, Index d) {
        using enum Axis;
        std::vector<Stage> all{{"", "tokens", {query, feature}, {n, h * d}},
                               {"", "query", {head, query, feature}, {h, n, d}},
                               {"", "key", {head, key, feature}, {h, m, d}},
                               {"", "value", {head, key, feature}, {h, m, d}}};
        for (const char* name : {"scores", "scaled_scores", "masked_scores", "exponentials", "weights"})
            all.push_back({"", name, {head, query, key}, {h, n, m}});
        all.push_back({"", "context", {head, query, feature}, {h, n, d}});
        if (h > 1)
            all.push_back({"", "concatenation", {query, feature}, {n, h * d}});
        return all;
    }

    template <class Allowed>
    void finish_row(Index head, Index row, const Allowed& allowed) {
        double most = forbidden, sum = 0;
        for (Index key = 0; key < m; ++key) {
            double score = 0;
            for (Index f = 0; f < d; ++f)
                score += at("query", head, row, f) * at("key", head, key, f);
            at("scores", head, row, key) = score;
            at("scaled_scores", head, row, key) = score / std::sqrt(static_cast<double>(d));
            const double masked = allowed(row, key) ? score / std::sqrt(static_cast<double>(d)) : forbidden;
            at("masked_scores", head, row, key) = masked;
            most = std::max(most, masked);
        }
        for (Index key = 0; key < m; ++key) {
            const double masked = at("masked_scores", head, row, key);
            sum += at("exponentials", head, row, key) = masked == forbidden ? 0 : std::exp(masked - most);
        }
        if (sum == 0 && head == 0)
            trace.fully_masked_queries.push_back(row);
        for (Index key = 0; key < m; ++key) {
            const double weight = sum > 0 ? at("exponentials", head, row, key) / sum : 0;
            at("weights", head, row, key) = weight;
            for (Index f = 0; f < d; ++f)
                at("context", head, row, f) += weight * at("value", head, key, f);
        }
        if (h > 1)
            for (Index f = 0; f < d; ++f)
                at("concatenation", 0, row, head * d + f) = at("context", head, row, f);
    }
};

inline void fill(Attention& attention, double strength) {
    for (Index head = 0; head < attention.h; ++head) {
        for (Index f = 0; f < attention.d; ++f) {
            for (Index row = 0; row < attention.n; ++row) {
                attention.at("tokens", 0, row, head * attention.d + f) = wave(row, f, head);
                attention.at("query", head, row, f) = strength * wave(row + head, f, 1);
            }
            for (Index key = 0; key < attention.m; ++key) {
                attention.at("key", head, key, f) = strength * wave(key + 2 * head, f, 2 - head % 2);
                attention.at("value", head, key, f) = wave(key, f + 1, head + 1);
            }
        }
    }
}

}  // namespace detail

/// Causal multi-head attention on a sentence with an unknown word: 4 heads, 8 tokens, 4 features per head.
inline Trace sentence() {
    detail::Attention attention(4, 8, 8, 4);
    detail::fill(attention, 1.6);
    attention.trace.tokens.query = {"The", "bank", "of", "the", "river", "was", "muddyish", "."};
    attention.trace.tokens.key = attention.trace.tokens.query;
    attention.trace.tokens.query_unknown = {false, false, false, false, false, false, true, false};
    attention.trace.tokens.key_unknown = attention.trace.tokens.query_unknown;
    attention.trace.spec.projections.type = ProjectionType::learned;
    attention.trace.spec.mask.rule = CausalMask{};
    return attention.finish([](Index row, Index key) { return key <= row; });
}

/// One head, `queries` by `keys`, tokens "w1", "w2", ...: a diagonal band with one bright cell far from it.
inline Trace band(Index queries, Index keys) {
    detail::Attention attention(1, queries, keys, 2);
    for (Index row = 0; row < queries; ++row)
        attention.trace.tokens.query.push_back(std::string("w") + std::to_string(row + 1));
    for (Index key = 0; key < keys; ++key)
        attention.trace.tokens.key.push_back(std::string("w") + std::to_string(key + 1));
    const auto angle = [](Index at, Index count) {
        return 3 * static_cast<double>(at) / static_cast<double>(std::max<Index>(1, count - 1));
    };
    for (Index row = 0; row < queries; ++row) {
        attention.at("query", 0, row, 0) = 12 * std::cos(angle(row, queries));
        attention.at("query", 0, row, 1) = 12 * std::sin(angle(row, queries));
    }
    for (Index key = 0; key < keys; ++key) {
        attention.at("key", 0, key, 0) = 3 * std::cos(angle(key, keys));
        attention.at("key", 0, key, 1) = 3 * std::sin(angle(key, keys));
    }
    Trace trace = attention.finish([](Index, Index) { return true; });
    trace.values(*trace.find("weights"))[static_cast<std::size_t>(queries / 8 * keys + 7 * keys / 8)] = 1;
    return trace;
}

/// A single head whose third query may look at nothing, and white space among its keys.
inline Trace masked_out() {
    detail::Attention attention(1, 4, 6, 3);
    detail::fill(attention, 1.2);
    attention.trace.spec.source.type = SourceType::cross;
    attention.trace.spec.mask.rule = MatrixMask{{{true, false}}};
    attention.trace.tokens.query = {"I", "am", "here", "now"};
    attention.trace.tokens.key = {"je", " ", "suis", "\n", "ici", "!"};
    return attention.finish([](Index row, Index key) { return row != 2 && key < 5; });
}

/// What the scripts of the world ask of a picture, as tokens: words from right to left with signs and numbers
/// among them, East Asian ones, marks that combine, also with nothing, emoji of several characters, what
/// cannot be seen, and nothing at all.
inline std::vector<std::string> tokens_of_many_scripts() {
    return {"The",    "שלום", "עולם!",         "(מרחבא)", "مرحبا",       "٤٢", "注意力", "ことば",
            "한국어", "नमस्ते", "e\u0301\u0323", "\u0301",  "👩‍🔬", "🇩🇪", "\u202e", ""};
}

/// Two heads of self-attention on them.
inline Trace many_scripts() {
    const auto count = static_cast<Index>(tokens_of_many_scripts().size());
    detail::Attention attention(2, count, count, 4);
    detail::fill(attention, 1.4);
    attention.trace.tokens.query = attention.trace.tokens.key = tokens_of_many_scripts();
    attention.trace.name = "מודל (א)";
    return attention.finish([](Index, Index) { return true; });
}

}  // namespace headlight::samples
