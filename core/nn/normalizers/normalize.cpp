#include "core/nn/normalize.h"

#include "core/attention/component.h"
#include "core/nn/normalizers/parts.h"

#include <cassert>

namespace headlight::nn {

namespace {

/// Attention of tokens that go in as they are, with this normaliser.
AttentionSpec spec_with(const Normalizer& normalizer, Index heads) {
    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score.type = ScoreType::dot;
    spec.normalizer = normalizer;
    spec.heads = {.type = HeadsType::multi, .heads = heads};
    return spec;
}

template <class Real>
Variable<Real> weights_of(Tape<Real>& tape, const ScoreMap<Real>& map, const Normalizer& normalizer,
                          const NormalizerWeights& learned, NormalizerState<Real>& state) {
    switch (normalizer.type) {
    case NormalizerType::softmax:
    case NormalizerType::length_scaled:
    case NormalizerType::off_by_one:
    case NormalizerType::sink:
    case NormalizerType::clipped:
    case NormalizerType::signed_softmax:
        return soft_weights(tape, map, normalizer, learned);
    case NormalizerType::sparsemax:
    case NormalizerType::entmax:
    case NormalizerType::budget:
    case NormalizerType::normmax:
        return sparse_weights(tape, map, normalizer);
    case NormalizerType::none:
    case NormalizerType::sigmoid:
    case NormalizerType::relu:
    case NormalizerType::softpick:
    case NormalizerType::taylor:
    case NormalizerType::stick_breaking:
        return plain_weights(tape, map, normalizer, learned, state.query);
    case NormalizerType::hard:
    case NormalizerType::gumbel:
        return drawn_weights(tape, map, normalizer, state);
    case NormalizerType::monotonic:
    case NormalizerType::chunkwise:
        return walked_weights(tape, map, normalizer, learned, state);
    case NormalizerType::sinkhorn:
    case NormalizerType::slot:
        return coupled_weights(tape, map, normalizer);
    default:
        assert(has_twin(normalizer));
        return map.scores;
    }
}

}  // namespace

template <class Real>
Variable<Real> normalize(Tape<Real>& tape, const Pairing& pairing, Variable<Real> scores,
                         const Normalizer& normalizer, const NormalizerWeights& learned,
                         NormalizerState<Real>* state) {
    assert(scores.rows == pairing.map_rows() && scores.columns == pairing.keys);
    NormalizerState<Real> first;
    NormalizerState<Real>& now = state ? *state : first;
    const Variable<Real> weights =
        weights_of(tape, {pairing, tape.with_gradient(scores)}, normalizer, learned, now);
    now.query += pairing.queries;
    return weights;
}

template Variable<float> normalize(Tape<float>&, const Pairing&, Variable<float>, const Normalizer&,
                                   const NormalizerWeights&, NormalizerState<float>*);
template Variable<double> normalize(Tape<double>&, const Pairing&, Variable<double>, const Normalizer&,
                                    const NormalizerWeights&, NormalizerState<double>*);

NormalizerWeights add_normalizer(ParameterLayout& layout, const std::string& prefix,
                                 const Normalizer& normalizer, Index heads) {
    NormalizerWeights weights;
    const TokenDimensions tokens{.query_width = heads, .key_width = heads, .value_width = heads};
    weights.add(layout, prefix, required_parameters(spec_with(normalizer, heads), tokens, {}));
    return weights;
}

bool has_twin(const Normalizer& normalizer) {
    const NormalizerComponent* component = component_of(normalizer.type);
    return !component || component->steps;
}

bool is_differentiable(const Normalizer& normalizer) {
    const Normalizer whole = complete_normalizer(normalizer);
    switch (whole.type) {
    case NormalizerType::hard:
        return false;
    case NormalizerType::gumbel:
        return !option<bool>(whole.options, "hard");
    case NormalizerType::monotonic:
    case NormalizerType::chunkwise:
        return option<std::string>(whole.options, "alignment") != "hard";
    default:
        return true;
    }
}

bool couples_queries(const Normalizer& normalizer) {
    return normalizer.type == NormalizerType::sinkhorn || normalizer.type == NormalizerType::slot ||
           normalizer.type == NormalizerType::dual_softmax || normalizer.type == NormalizerType::tree ||
           normalizer.type == NormalizerType::prob_sparse;
}

Normalizer complete_normalizer(const Normalizer& normalizer) {
    return complete_spec(spec_with(normalizer, 1)).normalizer;
}

}  // namespace headlight::nn
