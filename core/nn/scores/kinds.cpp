#include "core/nn/scores/kinds.h"

#include "core/attention/options.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <string>

namespace headlight::nn {

namespace {

/// The scores of one call, kind by kind: formulas and sources are where the engine has them
/// (core/attention/scores).
template <class Real>
class ScoreFormulas {
public:
    ScoreFormulas(Tape<Real>& tape, const Pairing& pairing, const Score& score, const ScoreWeights& weights)
        : tape_(tape), pairing_(pairing), score_(score), weights_(weights) {}

    Variable<Real> key_side(Variable<Real> key) const;
    Variable<Real> scores(Variable<Real> query, const ScoreKeys<Real>& keys,
                          const ScoreState<Real>& state) const;

private:
    Real number(const char* name) const { return static_cast<Real>(option<double>(score_.options, name)); }
    Index count(const char* name) const { return option<Index>(score_.options, name); }
    Variable<Real> weight(const char* name) const { return tape_.weight(weights_[name]); }
    Variable<Real> per_head(Variable<Real> x) const { return by_head(x, pairing_.heads); }
    Variable<Real> together(Variable<Real> x) const { return side_by_side(x, pairing_.heads); }
    Index query_width(Variable<Real> query) const { return query.columns / pairing_.heads; }

    /// x W of each head, plus b where `adds_bias` and the score has one.
    Variable<Real> projected(Variable<Real> x, Weight matrix, bool adds_bias = false) const {
        const Variable<Real> rows = per_head(x);
        return together(adds_bias && weights_.has("b") ? affine(tape_, rows, matrix, weights_["b"])
                                                       : product(tape_, rows, matrix));
    }
    /// q . k, times a factor.
    Variable<Real> products(Variable<Real> query, Variable<Real> key, Real factor) const {
        return dot_scores(tape_, pairing_, query, key, factor);
    }
    Variable<Real> scaled_products(Variable<Real> query, Variable<Real> key) const {
        return products(query, key,
                        static_cast<Real>(1 / std::sqrt(static_cast<double>(query_width(query)))));
    }
    Variable<Real> cosines(Variable<Real> query, Variable<Real> key, Real factor, Index groups = 1,
                           bool keeps_queries = false) const {
        const auto direction = [&](Variable<Real> x) {
            const Variable<Real> rows = per_head(x);
            const Variable<Real> parts = rows.reshaped(rows.rows * groups, rows.columns / groups);
            return together(normalize_vectors(tape_, parts, VectorNorm::l2).reshaped(rows.rows, rows.columns));
        };
        return products(keeps_queries ? query : direction(query), direction(key), factor);
    }
    /// v . activation(left + right)
    Variable<Real> energies(Variable<Real> left, Variable<Real> right, Variable<Real> v,
                            Activation activation) const {
        return energy_scores(tape_, pairing_, left, right, v, activation);
    }
    Variable<Real> energies(Variable<Real> left, Variable<Real> right) const {
        return energies(left, right, weight("v"), score_.activation);
    }
    Variable<Real> query_side(Variable<Real> query) const { return projected(query, weights_["W_1"], true); }
    /// w_q . q + w_k . k + b, where the keys' part is there already.
    Variable<Real> sums(Variable<Real> query, Variable<Real> side) const {
        return sum_scores(tape_, pairing_,
                          projected(query, as_column(weights_["w"], 0, query_width(query)), true), side);
    }

    Variable<Real> concatenated(Variable<Real> query, Variable<Real> side) const;
    Variable<Real> trilinear(Variable<Real> query, const ScoreKeys<Real>& keys) const;
    Variable<Real> elementwise(Variable<Real> query, Variable<Real> side) const;
    Variable<Real> deep(Variable<Real> query, Variable<Real> key) const;
    Variable<Real> by_place(Variable<Real> of_places) const;
    Variable<Real> random(const ScoreState<Real>& state) const;
    Variable<Real> dynamic_graph(Variable<Real> query, Variable<Real> side) const;
    Variable<Real> with_history(Variable<Real> query, Variable<Real> side,
                                const ScoreState<Real>& state) const;
    Variable<Real> multi_token(Variable<Real> query, Variable<Real> key, const Allowed& allowed) const;

    Tape<Real>& tape_;
    const Pairing& pairing_;
    const Score& score_;
    const ScoreWeights& weights_;
};

template <class Real>
Variable<Real> ScoreFormulas<Real>::key_side(Variable<Real> key) const {
    const Index width = key.columns / pairing_.heads;
    switch (score_.type) {
    case ScoreType::concat: {
        const Weight both = weights_["W"];  // [d_q + d_k, d_a], the query's rows first
        return projected(key, both.row_range(both.rows - width, width));
    }
    case ScoreType::additive:
    case ScoreType::normalized_additive:
    case ScoreType::dynamic_graph:
    case ScoreType::location_aware:
    case ScoreType::coverage:
        return projected(key, weights_["W_2"]);
    case ScoreType::elementwise_concat:
        return scale_rows(tape_, key, weight("s"));
    case ScoreType::linear:
    case ScoreType::graph:
        return projected(key, as_column(weights_["w"], weights_["w"].size() - width, width));
    case ScoreType::trilinear:
        return projected(key, as_column(weights_["w"], width, width));
    default:
        return {};
    }
}

template <class Real>
Variable<Real> ScoreFormulas<Real>::scores(Variable<Real> query, const ScoreKeys<Real>& keys,
                                           const ScoreState<Real>& state) const {
    const Variable<Real> key = keys.vectors, side = keys.side;
    const double width = static_cast<double>(query_width(query));
    switch (score_.type) {
    case ScoreType::dot:
    case ScoreType::self_similarity:
        return products(query, key, 1);
    case ScoreType::scaled_dot:
        return scaled_products(query, key);
    case ScoreType::learned_scale:
        return scale_rows(tape_, products(query, key, 1), weight("g"));
    case ScoreType::general:
        return products(projected(query, weights_["W"]), key, 1);
    case ScoreType::concat:
        return concatenated(query, side);
    case ScoreType::additive:
        return energies(query_side(query), side);
    case ScoreType::normalized_additive:
        return scale_rows(tape_,
                          energies(query_side(query), side,
                                   normalize_vectors(tape_, weight("v"), VectorNorm::l2), score_.activation),
                          weight("g"));
    case ScoreType::cosine:
        return cosines(query, key, number("beta"), std::gcd(count("groups"), query_width(query)),
                       option<std::string>(score_.options, "divided") == "keys");
    case ScoreType::scaled_cosine:
        return scale_rows(tape_, cosines(query, key, 1),
                          bounded_exponential(tape_, weight("log_tau"), static_cast<Real>(std::log(100.0))),
                          pairing_.queries);
    case ScoreType::gaussian:
        return scale(tape_, distance_scores(tape_, pairing_, query, key),
                     1 / (2 * number("sigma") * number("sigma")));
    case ScoreType::euclidean:
        return scale(tape_, distance_scores(tape_, pairing_, query, key),
                     static_cast<Real>(1 / std::sqrt(width)));
    case ScoreType::linear:
        return sums(query, side);
    case ScoreType::graph:
        return leaky_relu(tape_, sums(query, side), number("slope"));
    case ScoreType::trilinear:
        return trilinear(query, keys);
    case ScoreType::elementwise_additive:
        return energies(query, key);
    case ScoreType::elementwise_concat:
        return elementwise(query, side);
    case ScoreType::mlp:
        return deep(query, key);
    case ScoreType::location:
        return by_place(product(tape_, per_head(query), weights_["W_slots"]));
    case ScoreType::dense_synthesizer:
        return by_place(product(tape_, per_head(activate(tape_, query_side(query), Activation::relu)),
                                weights_["W_slots"]));
    case ScoreType::random_synthesizer:
        return random(state);
    case ScoreType::dynamic_graph:
        return dynamic_graph(query, side);
    case ScoreType::location_aware:
    case ScoreType::coverage:
        return with_history(query, side, state);
    case ScoreType::multi_token:
        return multi_token(query, key, state.allowed);
    case ScoreType::selective:
        return erase_scores(tape_, pairing_, scaled_products(query, key),
                            allowed_map(tape_, pairing_, state.allowed));
    default:
        assert(has_twin(score_));
        return {};
    }
}

template <class Real>
Variable<Real> ScoreFormulas<Real>::concatenated(Variable<Real> query, Variable<Real> side) const {
    return energies(projected(query, weights_["W"].row_range(0, query_width(query)), true), side);
}

template <class Real>
Variable<Real> ScoreFormulas<Real>::trilinear(Variable<Real> query, const ScoreKeys<Real>& keys) const {
    const Index width = query_width(query);
    const Variable<Real> of_product = tape_.weight({weights_["w"].offset + 2 * width, 1, width});
    const Variable<Real> weighed = together(multiply_row(tape_, per_head(query), of_product));
    return add(tape_, sums(query, keys.side), products(weighed, keys.vectors, 1));
}

template <class Real>
Variable<Real> ScoreFormulas<Real>::elementwise(Variable<Real> query, Variable<Real> side) const {
    const Variable<Real> ones = tape_.constant(1, query_width(query));
    std::fill_n(ones.value, ones.size(), Real(1));
    const Variable<Real> left = scale_rows(tape_, query, weight("s"));
    return scale_rows(tape_, energies(left, side, ones, score_.activation), weight("g"));
}

/// A network on the features of every pair: a row for each.
template <class Real>
Variable<Real> ScoreFormulas<Real>::deep(Variable<Real> query, Variable<Real> key) const {
    std::vector<Index> queries, all_keys;
    for_each_row(pairing_, [&](Index sequence, Index head, Index i) {
        for (Index j = 0; j < pairing_.keys; ++j) {
            queries.push_back((i * pairing_.batch + sequence) * pairing_.heads + head);
            all_keys.push_back((j * pairing_.batch + sequence) * pairing_.heads + head);
        }
    });
    const Variable<Real> q = take_rows(tape_, per_head(query), queries),
                         k = take_rows(tape_, per_head(key), all_keys);
    Variable<Real> layer = join_columns(tape_, q, k);
    if (option<std::string>(score_.options, "features") == "all")
        layer = join_columns(
            tape_, layer,
            join_columns(tape_, add(tape_, q, scale(tape_, k, Real(-1))), multiply(tape_, q, k)));
    const Weight first = weights_["W"], deeper = weights_["W_deep"];
    layer = weights_.has("b") ? affine(tape_, layer, first, weights_["b"]) : product(tape_, layer, first);
    const Index width = first.columns;
    for (Index row = 0; row < deeper.rows; row += width)
        layer = product(tape_, activate(tape_, layer, score_.activation), deeper.row_range(row, width));
    layer = activate(tape_, layer, score_.activation);
    return product(tape_, layer, as_column(weights_["v"], 0, width))
        .reshaped(pairing_.map_rows(), pairing_.keys);
}

/// A score for each place a key can have, [n b h, places], as a map of the keys that there are.
template <class Real>
Variable<Real> ScoreFormulas<Real>::by_place(Variable<Real> of_places) const {
    std::vector<Index> rows;
    for_each_row(pairing_, [&](Index sequence, Index head, Index query) {
        rows.push_back((query * pairing_.batch + sequence) * pairing_.heads + head);
    });
    const Variable<Real> map = take_rows(tape_, of_places, rows);
    return map.columns == pairing_.keys ? map : column_range(tape_, map, 0, pairing_.keys);
}

template <class Real>
Variable<Real> ScoreFormulas<Real>::random(const ScoreState<Real>& state) const {
    const bool is_whole = weights_.has("R");
    const Weight for_queries = weights_[is_whole ? "R" : "R_1"];
    const Index places = for_queries.rows / pairing_.heads;  // that a query can have
    std::vector<Index> rows;
    if (is_whole) {
        for_each_row(pairing_, [&](Index, Index head, Index query) {
            rows.push_back(head * places + state.query + query);
        });
        const Variable<Real> map = take_rows(tape_, weight("R"), rows);
        return map.columns == pairing_.keys ? map : column_range(tape_, map, 0, pairing_.keys);
    }
    // The factors as queries and keys that every sequence has alike.
    const auto vectors = [&](const char* name, Index of_head, Index first, Index tokens) {
        std::vector<Index> each;
        for (Index token = 0; token < tokens; ++token)
            for (Index sequence = 0; sequence < pairing_.batch; ++sequence)
                for (Index head = 0; head < pairing_.heads; ++head)
                    each.push_back(head * of_head + first + token);
        return together(take_rows(tape_, weight(name), each));
    };
    return products(vectors("R_1", places, state.query, pairing_.queries),
                    vectors("R_2", weights_["R_2"].rows / pairing_.heads, 0, pairing_.keys), 1);
}

/// LeakyReLU(x) = a x + (1 - a) max(0, x)
template <class Real>
Variable<Real> ScoreFormulas<Real>::dynamic_graph(Variable<Real> query, Variable<Real> side) const {
    const Variable<Real> left = query_side(query), v = weight("v");
    const Real slope = number("slope");
    return add(tape_, scale(tape_, energies(left, side, v, Activation::identity), slope),
               scale(tape_, energies(left, side, v, Activation::relu), 1 - slope));
}

/// Additive scores of keys whose side knows what was looked at before.
template <class Real>
Variable<Real> ScoreFormulas<Real>::with_history(Variable<Real> query, Variable<Real> side,
                                                 const ScoreState<Real>& state) const {
    const bool is_filtered = score_.type == ScoreType::location_aware;
    const Variable<Real> features = is_filtered ? filter_rows(tape_, state.history, weight("F"))
                                                : state.history.reshaped(state.history.size(), 1);
    std::vector<Index> rows;  // in the order of the keys
    for (Index key = 0; key < pairing_.keys; ++key)
        for (Index row = 0; row < pairing_.batch * pairing_.heads; ++row)
            rows.push_back(row * pairing_.keys + key);
    const Variable<Real> seen =
        product(tape_, take_rows(tape_, features, rows), weights_[is_filtered ? "U" : "w_c"]);
    const Variable<Real> scores = energies(query_side(query), add(tape_, side, together(seen)));
    return is_filtered ? scale(tape_, scores, number("sharpening")) : scores;
}

template <class Real>
Variable<Real> ScoreFormulas<Real>::multi_token(Variable<Real> query, Variable<Real> key,
                                                const Allowed& allowed) const {
    const Variable<Real> counted =
        multiply(tape_, scaled_products(query, key), allowed_map(tape_, pairing_, allowed));
    return convolve_map(tape_, pairing_, counted, weight("theta"));
}

}  // namespace

bool sums_weights(const Score& score) {
    return score.type == ScoreType::coverage || option<bool>(score.options, "cumulative");
}

template <class Real>
Variable<Real> key_side(Tape<Real>& tape, const Pairing& pairing, const Score& score, Variable<Real> key,
                        const ScoreWeights& weights) {
    return ScoreFormulas<Real>(tape, pairing, score, weights).key_side(key);
}

template <class Real>
Variable<Real> scaled_scores(Tape<Real>& tape, const Pairing& pairing, const Score& score,
                             Variable<Real> query, const ScoreKeys<Real>& keys, const ScoreWeights& weights,
                             const ScoreState<Real>& state) {
    return ScoreFormulas<Real>(tape, pairing, score, weights).scores(query, keys, state);
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> key_side(Tape<Real>&, const Pairing&, const Score&, Variable<Real>,              \
                                     const ScoreWeights&);                                                   \
    template Variable<Real> scaled_scores(Tape<Real>&, const Pairing&, const Score&, Variable<Real>,         \
                                          const ScoreKeys<Real>&, const ScoreWeights&,                       \
                                          const ScoreState<Real>&);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
