#pragma once

#include "core/nn/tape.h"

#include <span>

namespace headlight::nn {

/// Which rows meet in attention. Sequences of a batch lie side by side: row t b + i is token t of sequence i,
/// as in recurrent.h. Heads lie side by side in a row. A map of scores or weights has a row for each
/// sequence, head and query, in this order, and a column for each key: [b h n, m].
struct Pairing {
    Index batch = 1;    ///< b
    Index heads = 1;    ///< h
    Index queries = 0;  ///< n of each sequence
    Index keys = 0;     ///< m of each sequence

    Index map_rows() const { return batch * heads * queries; }
    Index map_row(Index sequence, Index head, Index query) const {
        return (sequence * heads + head) * queries + query;
    }
};

/// factor q . k of each head: [n b, h d] [m b, h d] -> [b h n, m]
template <class Real>
Variable<Real> dot_scores(Tape<Real>& tape, const Pairing& pairing, Variable<Real> query, Variable<Real> key,
                          Real factor);

/// v . activation(q + k) of each head, where q and k are projected already: [n b, h a] [m b, h a] [1, a] ->
/// [b h n, m]                                                                     (Bahdanau et al. 2015,
/// A.1.2)
template <class Real>
Variable<Real> energy_scores(Tape<Real>& tape, const Pairing& pairing, Variable<Real> query,
                             Variable<Real> key, Variable<Real> v, Activation activation);

/// The pairs that count: keys before the length of their sequence, and none after its query where `causal`
/// says so, the queries being the last n of m places.
struct Allowed {
    std::span<const Index> key_lengths;  ///< [b]; empty: all m
    bool causal = false;
    Index first = 0;  ///< keys before this one count for no query; of mask_scores, not of soft_attention
};

/// Scores with minus infinity where the pair does not count: [b h n, m]
template <class Real>
Variable<Real> mask_scores(Tape<Real>& tape, const Pairing& pairing, Variable<Real> scores,
                           const Allowed& allowed);

/// softmax(s / temperature) of each row; a row of nothing but minus infinity becomes zeros.
template <class Real>
Variable<Real> softmax(Tape<Real>& tape, Variable<Real> scores, Real temperature = 1);

/// weights v of each head: [b h n, m] [m b, h d] -> [n b, h d]
template <class Real>
Variable<Real> mix_values(Tape<Real>& tape, const Pairing& pairing, Variable<Real> weights,
                          Variable<Real> value);

/// mix_values of softmax of mask_scores of dot_scores, the same numbers, in one operation that goes from
/// sequence to sequence, so that what passes between the products stays in the processor's cache.
template <class Real>
Variable<Real> soft_attention(Tape<Real>& tape, const Pairing& pairing, Variable<Real> query,
                              Variable<Real> key, Variable<Real> value, const Allowed& allowed, Real factor,
                              Real temperature = 1);

}  // namespace headlight::nn
