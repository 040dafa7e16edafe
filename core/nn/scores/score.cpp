#include "core/nn/score.h"

#include "core/attention/component.h"
#include "core/nn/scores/kinds.h"

#include <algorithm>
#include <cassert>

namespace headlight::nn {

namespace {

/// Cross attention of tokens that go in as they are, with this score.
AttentionSpec spec_with(const Score& score, Index heads) {
    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score = score;
    spec.heads = {.type = HeadsType::multi, .heads = heads};
    return spec;
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
    return {key, key_side(tape, pairing, score, key, weights)};
}

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

bool has_twin(const Score& score) {
    const ScoreComponent* component = component_of(score.type);
    return !component || component->steps;
}

bool couples_queries(const Score& score) {
    if (score.type == ScoreType::multi_token)
        return option<Index>(complete_score(score).options, "query_width") > 1;
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
