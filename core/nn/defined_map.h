#pragma once

#include "core/attention/spec.h"
#include "core/nn/attention.h"
#include "core/nn/named_weights.h"

#include <cstdint>
#include <memory>

namespace headlight::nn {

class MapGraphs;

/// What a score or a normaliser makes a map of in one call.
template <class Real>
struct MapOperands {
    Variable<Real> query{}, key{};  ///< of a score, as they meet: [n b, h d_q], [m b, h d_k]
    Variable<Real> side{};          ///< what side() has made of the keys
    Variable<Real> scores{};        ///< of a normaliser, minus infinity where the mask forbids: [b h n, m]
    /// What a score remembers of the weights before, or where the query before stopped: [b h, m].
    Variable<Real> before{};
    Allowed allowed{};         ///< of a score that looks at other pairs than its own
    Index first = 0;           ///< the place of the first query in its sequence
    std::uint64_t stream = 0;  ///< sequence i draws from substream(stream, i)
};

/// The map of a score or of a normaliser as its component defines it (core/attention/component.h), with the
/// derivative that the graph of the definition has: the formula is written there and nowhere else.
///
/// The graph is made once for each number of queries and keys, and shared by threads. Numbers pass through it
/// in double, also where the tape has floats. The sequences of a batch are more heads of one map, but where a
/// sequence has draws, a mask or a first head of its own.
class DefinedMap {
public:
    /// `weights` are the parameters that required_parameters() names; the widths are those of a head.
    DefinedMap(const Score& score, const NamedWeights& weights, Index heads, Index query_width,
               Index key_width);
    DefinedMap(const Normalizer& normalizer, const NamedWeights& weights, Index heads);
    ~DefinedMap();

    /// Scores times the score's own factor, before cap and mask, or weights: [b h n, m]. Of a normaliser that
    /// walks from query to query each head has one row more, behind its queries: where the last one stopped.
    /// It has no gradient where the formula has none. This stays as long as what is on the tape.
    template <class Real>
    Variable<Real> map(Tape<Real>& tape, const Pairing& pairing, const MapOperands<Real>& operands) const;

    /// The part of an energy that follows from the keys alone, [m b, h d_a], for a decoder's many steps.
    /// Nothing for what has no such part.
    template <class Real>
    Variable<Real> side(Tape<Real>& tape, const Pairing& pairing, Variable<Real> key) const;

private:
    std::unique_ptr<MapGraphs> graphs_;
};

/// Each query goes on from where the one before it stopped: monotonic and chunkwise.
bool walks(const Normalizer& normalizer);

/// A formula alone with queries and keys, or scores, of so many heads that go in as they are.
AttentionSpec spec_with(const Score& score, Index heads);
AttentionSpec spec_with(const Normalizer& normalizer, Index heads);

}  // namespace headlight::nn
