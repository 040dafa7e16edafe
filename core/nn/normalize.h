#pragma once

#include "core/attention/spec.h"
#include "core/nn/attention.h"
#include "core/nn/defined_map.h"
#include "core/nn/named_weights.h"

#include <cstdint>
#include <memory>
#include <string>

namespace headlight::nn {

// The normalisers of the catalogue as operations of a tape: the weights are those that the engine computes
// from the same scores, parameters and seed.

/// Learned numbers of a normaliser:
/// - b_sink, [1, h]: of sink without a logit of its own
/// - s_length, [1, h]: of length_scaled without a strength
struct NormalizerWeights : NamedWeights {
    /// What its definition says; null: softmax and hard, which have operations of their own.
    std::shared_ptr<const DefinedMap> defined = nullptr;
};

/// Adds what the engine asks for, PREFIX + NAME, to the layout; `normalizer` may leave options out.
NormalizerWeights add_normalizer(ParameterLayout& layout, const std::string& prefix,
                                 const Normalizer& normalizer, Index heads);

/// What a normaliser needs beside scores, for a decoder that asks for some queries at a time: normalize()
/// brings it on.
template <class Real>
struct NormalizerState {
    std::uint64_t stream =
        0;            ///< draws of gumbel and of hard sampling: sequence i has the seed substream(stream, i)
    Index query = 0;  ///< number of the first query in its sequence
    Variable<Real> stopped{};  ///< [b h, m], of monotonic and chunkwise: where the query before stopped
};

/// Weights from masked scores, minus infinity where the mask forbids: [b h n, m] -> [b h n, m]. A row of
/// nothing but minus infinity becomes zeros. `normalizer` has all its options (complete_normalizer), and
/// `learned` is what add_normalizer() made for it. Those of
/// sinkhorn and slot depend on all queries of a sequence, which must therefore be asked for at once.
///
/// The derivative is that of the formula. Where it chooses there is none: hard, and monotonic with hard
/// alignment, pass nothing on (their host estimates: REINFORCE), chunkwise with hard alignment only that of
/// the softmax in its chunk. gumbel with "hard" passes on that of the soft weights (straight-through, Jang,
/// Gu & Poole 2017, section 2.2).
template <class Real>
Variable<Real> normalize(Tape<Real>& tape, const Pairing& pairing, Variable<Real> scores,
                         const Normalizer& normalizer, const NormalizerWeights& learned,
                         NormalizerState<Real>* state = nullptr);

/// Models take it by itself, between projections of theirs; one of which they do not learns by its whole
/// mechanism's program (graph_attention.h).
bool stands_alone(const Normalizer& normalizer);
/// The weights have a derivative by the scores almost everywhere, and normalize() passes it on.
bool is_differentiable(const Normalizer& normalizer);
/// The weights of one query depend on the scores of queries after it: nothing for a decoder.
bool couples_queries(const Normalizer& normalizer);
/// With every option that it leaves out. Throws Error for an option that there is not, or that is out of
/// range.
Normalizer complete_normalizer(const Normalizer& normalizer);

}  // namespace headlight::nn
