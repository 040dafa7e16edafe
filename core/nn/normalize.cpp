#include "core/nn/normalize.h"

#include "core/attention/component.h"
#include "core/attention/normalizers/kernel_rule.h"
#include "core/attention/normalizers/rows.h"
#include "core/attention/options.h"
#include "core/nn/attention_parts.h"
#include "core/nn/operations.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <vector>

namespace headlight::nn {

namespace {

bool is_softmax_or_hard(const Normalizer& normalizer) {
    return normalizer.type == NormalizerType::softmax || normalizer.type == NormalizerType::hard;
}

/// One-hot on the key that the kernels choose in each row (Xu et al. 2015, section 4.1). No derivative.
template <class Real>
Variable<Real> hard_weights(Tape<Real>& tape, const Pairing& pairing, Variable<Real> scores,
                            const Normalizer& normalizer, const NormalizerState<Real>& state) {
    const Variable<Real> weights = tape.constant(scores.rows, scores.columns);
    std::copy_n(scores.value, scores.size(), weights.value);
    const Index size = scores.columns;
    kernels::Block<Real> row;
    row.mask.excludes = true;
    row.normalizer = kernel_rule(normalizer);
    row.queries = 1;
    row.keys = row.reach = size;
    for_each_head(pairing, [&](Index sequence, Index head, Index first) {
        const std::uint64_t of_sequence = substream(state.stream, static_cast<std::uint64_t>(sequence));
        row.stream = substream(of_sequence, static_cast<std::uint64_t>(head));
        for (Index query = 0; query < pairing.queries; ++query) {
            row.weights = weights.row(first + query);
            const Index end = count_allowed(row.weights, size) > 0 ? size : 0;
            row.ends = &end;
            row.first_query = state.query + query;
            tape.kernels().normalize_rows(row, nullptr);
        }
    });
    return weights;
}

/// Row `first` of each head's, and those behind it.
template <class Real>
Variable<Real> rows_of_heads(Tape<Real>& tape, Variable<Real> map, Index of_head, Index first, Index count) {
    std::vector<Index> rows;
    for (Index head = 0; head < map.rows / of_head; ++head)
        for (Index row = first; row < first + count; ++row)
            rows.push_back(head * of_head + row);
    const Variable<Real> taken = take_rows(tape, map, std::span<const Index>(rows));
    return map.has_gradient() ? taken : taken.without_gradient();
}

/// The weights of monotonic and chunkwise; state.stopped becomes that of the last query.
template <class Real>
Variable<Real> walked_weights(Tape<Real>& tape, const Pairing& pairing, const DefinedMap& defined,
                              MapOperands<Real> operands, NormalizerState<Real>& state) {
    operands.before = state.stopped;
    if (!operands.before.value) {  // at the first key
        operands.before = tape.constant(pairing.batch * pairing.heads, pairing.keys);
        std::fill_n(operands.before.value, operands.before.size(), Real(0));
        for (Index head = 0; head < operands.before.rows; ++head)
            operands.before.row(head)[0] = 1;
    }
    const Variable<Real> map = defined.map(tape, pairing, operands);
    const Index rows = pairing.queries + 1;
    state.stopped = rows_of_heads(tape, map, rows, pairing.queries, 1);
    return rows_of_heads(tape, map, rows, 0, pairing.queries);
}

template <class Real>
Variable<Real> weights_of(Tape<Real>& tape, const Pairing& pairing, Variable<Real> scores,
                          const Normalizer& normalizer, const NormalizerWeights& learned,
                          NormalizerState<Real>& state) {
    if (normalizer.type == NormalizerType::softmax)
        return softmax(tape, scores, static_cast<Real>(normalizer.temperature));
    if (normalizer.type == NormalizerType::hard)
        return hard_weights(tape, pairing, scores, normalizer, state);
    assert(learned.defined);
    const MapOperands<Real> operands{.scores = scores, .first = state.query, .stream = state.stream};
    return walks(normalizer) ? walked_weights(tape, pairing, *learned.defined, operands, state)
                             : learned.defined->map(tape, pairing, operands);
}

}  // namespace

template <class Real>
Variable<Real> normalize(Tape<Real>& tape, const Pairing& pairing, Variable<Real> scores,
                         const Normalizer& normalizer, const NormalizerWeights& learned,
                         NormalizerState<Real>* state) {
    assert(scores.rows == pairing.map_rows() && scores.columns == pairing.keys);
    NormalizerState<Real> first;
    NormalizerState<Real>& now = state ? *state : first;
    const Variable<Real> weights = weights_of(tape, pairing, scores, normalizer, learned, now);
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
    if (!is_softmax_or_hard(normalizer))
        weights.defined = std::make_shared<const DefinedMap>(complete_normalizer(normalizer), weights, heads);
    return weights;
}

bool stands_alone(const Normalizer& normalizer) {
    const NormalizerComponent* component = component_of(normalizer.type);
    return !component || component->steps;
}

bool is_differentiable(const Normalizer& normalizer) {
    const Normalizer whole = complete_normalizer(normalizer);
    switch (whole.type) {
    case NormalizerType::hard:
        return false;
    case NormalizerType::gumbel:
        return !whole.options.flag("hard");
    case NormalizerType::monotonic:
    case NormalizerType::chunkwise:
        return whole.options.word("alignment") != "hard";
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
