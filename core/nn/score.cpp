#include "core/nn/score.h"

#include "core/attention/component.h"
#include "core/attention/kernel_scores.h"
#include "core/attention/options.h"
#include "core/nn/operations.h"
#include "core/nn/vectors.h"

#include <algorithm>
#include <cassert>

namespace headlight::nn {

namespace {

/// Dot products and additive energies: what models mostly have, and what must be quick.
bool is_dot_or_additive(const Score& score) {
    return score.type == ScoreType::dot || score.type == ScoreType::self_similarity ||
           score.type == ScoreType::scaled_dot || score.type == ScoreType::additive;
}

/// Whether the score remembers the sum of all weights so far instead of the last ones.
bool sums_weights(const Score& score) {
    return score.type == ScoreType::coverage || score.options.flag("cumulative");
}

template <class Real>
Variable<Real> normalized(Tape<Real>& tape, const Pairing& pairing, const Score& score, Variable<Real> x,
                          const ScoreWeights& weights, const char* gain) {
    if (score.vector_norm == VectorNorm::none)
        return x;
    const Variable<Real> factors = weights.has(gain) ? tape.weight(weights[gain]) : Variable<Real>{};
    return side_by_side(normalize_vectors(tape, by_head(x, pairing.heads), score.vector_norm, factors),
                        pairing.heads);
}

}  // namespace

ScoreWeights add_score(ParameterLayout& layout, const std::string& prefix, const Score& score,
                       const ScoreExtents& extents) {
    const TokenDimensions tokens{.query_width = extents.heads * extents.query_width,
                                 .key_width = extents.heads * extents.key_width,
                                 .value_width = extents.heads * extents.key_width,
                                 .queries = extents.queries,
                                 .keys = extents.keys};
    ScoreWeights weights;
    weights.add(layout, prefix, required_parameters(spec_with(score, extents.heads), tokens, {}));
    if (!is_dot_or_additive(score))
        weights.defined = std::make_shared<const DefinedMap>(complete_score(score), weights, extents.heads,
                                                             extents.query_width, extents.key_width);
    return weights;
}

template <class Real>
Variable<Real> normalized_queries(Tape<Real>& tape, const Pairing& pairing, const Score& score,
                                  Variable<Real> query, const ScoreWeights& weights) {
    return normalized(tape, pairing, score, query, weights, "g_q");
}

template <class Real>
Variable<Real> normalized_keys(Tape<Real>& tape, const Pairing& pairing, const Score& score,
                               Variable<Real> key, const ScoreWeights& weights) {
    return normalized(tape, pairing, score, key, weights, "g_k");
}

template <class Real>
ScoreKeys<Real> prepare_keys(Tape<Real>& tape, const Pairing& pairing, const Score& score, Variable<Real> key,
                             const ScoreWeights& weights) {
    if (weights.defined)
        return {key, weights.defined->side(tape, pairing, key)};
    if (score.type != ScoreType::additive)
        return {key, {}};
    const Variable<Real> rows = by_head(key, pairing.heads);
    return {key, side_by_side(product(tape, rows, weights["W_2"]), pairing.heads)};
}

namespace {

/// v . activation(q W_1 + b + side)
template <class Real>
Variable<Real> additive_scores(Tape<Real>& tape, const Pairing& pairing, const Score& score,
                               Variable<Real> query, Variable<Real> side, const ScoreWeights& weights) {
    const Variable<Real> rows = by_head(query, pairing.heads);
    const Variable<Real> projected = weights.has("b") ? affine(tape, rows, weights["W_1"], weights["b"])
                                                      : product(tape, rows, weights["W_1"]);
    return energy_scores(tape, pairing, side_by_side(projected, pairing.heads), side,
                         tape.weight(weights["v"]), score.activation);
}

template <class Real>
Variable<Real> scaled_scores(Tape<Real>& tape, const Pairing& pairing, const Score& score,
                             Variable<Real> query, const ScoreKeys<Real>& keys, const ScoreWeights& weights,
                             const ScoreState<Real>& state) {
    if (weights.defined)
        return weights.defined->map(tape, pairing,
                                    MapOperands<Real>{.query = query,
                                                      .key = keys.vectors,
                                                      .side = keys.side,
                                                      .before = state.history,
                                                      .allowed = state.allowed,
                                                      .first = state.query});
    if (score.type == ScoreType::additive)
        return additive_scores(tape, pairing, score, query, keys.side, weights);
    const double scale = kernel_scale(score.type, query.columns / pairing.heads);
    return dot_scores(tape, pairing, query, keys.vectors, static_cast<Real>(scale));
}

}  // namespace

template <class Real>
Variable<Real> scores(Tape<Real>& tape, const Pairing& pairing, const Score& score, Variable<Real> query,
                      const ScoreKeys<Real>& keys, const ScoreWeights& weights, ScoreState<Real>* state) {
    assert(query.rows == pairing.queries * pairing.batch);
    assert(!remembers(score) || (state && state->history.value && pairing.queries == 1));
    ScoreState<Real> first;
    ScoreState<Real>& now = state ? *state : first;
    Variable<Real> scores = scaled_scores(tape, pairing, score, query, keys, weights, now);
    if (score.softcap)
        scores = soft_cap(tape, scores, static_cast<Real>(*score.softcap));
    now.query += pairing.queries;
    return scores;
}

template <class Real>
ScoreState<Real> first_state(Tape<Real>& tape, const Pairing& pairing, const Score& score,
                             const Allowed& allowed) {
    ScoreState<Real> state{.allowed = allowed};
    if (!remembers(score))
        return state;
    state.history = tape.constant(pairing.batch * pairing.heads, pairing.keys);
    std::fill_n(state.history.value, state.history.size(), Real(0));
    if (sums_weights(score))
        return state;
    for (Index row = 0; row < state.history.rows; ++row) {
        const auto sequence = static_cast<std::size_t>(row / pairing.heads);
        const Index open = allowed.key_lengths.empty() ? pairing.keys : allowed.key_lengths[sequence];
        std::fill_n(state.history.row(row), open, 1 / static_cast<Real>(open));
    }
    return state;
}

template <class Real>
void remember(Tape<Real>& tape, const Score& score, Variable<Real> weights, ScoreState<Real>& state) {
    if (remembers(score))
        state.history = sums_weights(score) ? add(tape, state.history, weights) : weights;
}

bool remembers(const Score& score) {
    return score.type == ScoreType::location_aware || score.type == ScoreType::coverage;
}

bool stands_alone(const Score& score) {
    const ScoreComponent* component = component_of(score.type);
    return !component || component->steps;
}

bool couples_queries(const Score& score) {
    if (score.type == ScoreType::multi_token)
        return complete_score(score).options.count("query_width") > 1;
    return score.type == ScoreType::selective || score.type == ScoreType::gaussian_window;
}

Score complete_score(const Score& score) { return complete_spec(spec_with(score, 1)).score; }

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> normalized_queries(Tape<Real>&, const Pairing&, const Score&, Variable<Real>,    \
                                               const ScoreWeights&);                                         \
    template Variable<Real> normalized_keys(Tape<Real>&, const Pairing&, const Score&, Variable<Real>,       \
                                            const ScoreWeights&);                                            \
    template ScoreKeys<Real> prepare_keys(Tape<Real>&, const Pairing&, const Score&, Variable<Real>,         \
                                          const ScoreWeights&);                                              \
    template Variable<Real> scores(Tape<Real>&, const Pairing&, const Score&, Variable<Real>,                \
                                   const ScoreKeys<Real>&, const ScoreWeights&, ScoreState<Real>*);          \
    template ScoreState<Real> first_state(Tape<Real>&, const Pairing&, const Score&, const Allowed&);        \
    template void remember(Tape<Real>&, const Score&, Variable<Real>, ScoreState<Real>&);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
