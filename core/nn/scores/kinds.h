#pragma once

#include "core/nn/score.h"
#include "core/nn/scores/parts.h"

namespace headlight::nn {

/// Whether the score remembers the sum of all weights so far instead of the last ones.
bool sums_weights(const Score& score);

/// ScoreKeys::side of keys as they meet the queries; nothing where a score has none.
template <class Real>
Variable<Real> key_side(Tape<Real>& tape, const Pairing& pairing, const Score& score, Variable<Real> key,
                        const ScoreWeights& weights);

/// The scores of queries and keys as they meet, times the score's factor.
template <class Real>
Variable<Real> scaled_scores(Tape<Real>& tape, const Pairing& pairing, const Score& score,
                             Variable<Real> query, const ScoreKeys<Real>& keys, const ScoreWeights& weights,
                             const ScoreState<Real>& state);

}  // namespace headlight::nn
