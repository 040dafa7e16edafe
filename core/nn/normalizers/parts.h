#pragma once

#include "core/nn/normalize.h"
#include "core/nn/normalizers/row_maps.h"

namespace headlight::nn {

// normalize() by kind; each is in the file of its name. `scores` have a gradient where the tape
// differentiates.

/// softmax and what differs by a sink, a factor or a sign.
template <class Real>
Variable<Real> soft_weights(Tape<Real>& tape, const ScoreMap<Real>& map, const Normalizer& normalizer,
                            const NormalizerWeights& learned);
/// With a threshold: exact zeros.
template <class Real>
Variable<Real> sparse_weights(Tape<Real>& tape, const ScoreMap<Real>& map, const Normalizer& normalizer);
/// Without exponentials over a row's sum: none, sigmoid, relu, softpick, taylor, stick_breaking.
template <class Real>
Variable<Real> plain_weights(Tape<Real>& tape, const ScoreMap<Real>& map, const Normalizer& normalizer,
                             const NormalizerWeights& learned, Index first_query);
/// hard and gumbel.
template <class Real>
Variable<Real> drawn_weights(Tape<Real>& tape, const ScoreMap<Real>& map, const Normalizer& normalizer,
                             const NormalizerState<Real>& state);
/// monotonic and chunkwise; state.stopped becomes that of the last query.
template <class Real>
Variable<Real> walked_weights(Tape<Real>& tape, const ScoreMap<Real>& map, const Normalizer& normalizer,
                              const NormalizerWeights& learned, NormalizerState<Real>& state);
/// sinkhorn and slot.
template <class Real>
Variable<Real> coupled_weights(Tape<Real>& tape, const ScoreMap<Real>& map, const Normalizer& normalizer);

}  // namespace headlight::nn
