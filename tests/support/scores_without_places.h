#pragma once

#include "core/nn/score.h"

namespace headlight::test {

/// The scores of queries and keys as they come from their projections, without places:
/// [n b, h d_q] [m b, h d_k] -> [b h n, m]
template <class Real>
nn::Variable<Real> scores_without_places(nn::Tape<Real>& tape, const nn::Pairing& pairing, const Score& score,
                                         nn::Variable<Real> query, nn::Variable<Real> key,
                                         const nn::ScoreWeights& weights,
                                         nn::ScoreState<Real>* state = nullptr) {
    const nn::ScoreKeys<Real> keys =
        prepare_keys(tape, pairing, score, normalized_keys(tape, pairing, score, key, weights), weights);
    return scores(tape, pairing, score, normalized_queries(tape, pairing, score, query, weights), keys,
                  weights, state);
}

}  // namespace headlight::test
