#pragma once

#include "core/nn/attention.h"

#include <span>

namespace headlight::nn {

// Places of tokens as operations of a tape, with the arithmetic of the engine's positions
// (core/attention/rotation.h, core/attention/positions/alibi.h).

/// [n b, d] plus the sinusoids of places first, first + 1, ... (Vaswani et al. 2017, section 3.5)
template <class Real>
Variable<Real> add_sinusoids(Tape<Real>& tape, Variable<Real> x, Index batch, Index first = 0);
/// The same of rows that stand at other places, one for each: [r, d], of [r] places from 0.
template <class Real>
Variable<Real> add_sinusoids(Tape<Real>& tape, Variable<Real> x, std::span<const Index> places);

/// Turns each pair of numbers, i and i + d/2 of each head, by place / 10000^(2 i / d) (Su et al. 2024, eq.
/// 34, the halves as GPT-NeoX pairs them): [n b, h d]
template <class Real>
Variable<Real> rotate(Tape<Real>& tape, Variable<Real> x, Index batch, Index heads, Index first = 0);

/// Scores minus the distance |i - j| of query and key times alibi_slope(head, h); the queries are the last n
/// of m places: [b h n, m]
template <class Real>
Variable<Real> add_alibi(Tape<Real>& tape, const Pairing& pairing, Variable<Real> scores);

/// The sinusoids of the distances of query and key, from 1 - n to m - 1 (Dai et al. 2019, eq. 5):
/// [n + m - 1, width]
template <class Real>
Variable<Real> distance_sinusoids(Tape<Real>& tape, const Pairing& pairing, Index width);

/// Scores plus what the query has for the distance i - j of its key; the queries are the last n of m places:
/// [b h n, m] [h n b, n + m - 1] -> [b h n, m]. Rows of `of_distances` are heads, in each all queries as they
/// lie side by side; column c is the distance c + 1 - n.
template <class Real>
Variable<Real> add_distance_scores(Tape<Real>& tape, const Pairing& pairing, Variable<Real> scores,
                                   Variable<Real> of_distances);

}  // namespace headlight::nn
