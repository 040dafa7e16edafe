#pragma once

#include "core/attention/spec.h"
#include "core/nn/attention.h"
#include "core/nn/defined_map.h"
#include "core/nn/named_weights.h"

#include <memory>
#include <string>

namespace headlight::nn {

// The scores of the catalogue as operations of a tape: from the same vectors and parameters the numbers that
// the engine has as scaled scores, before any mask. Queries and keys are what the engine has after its
// projections, heads side by side: [n b, h d_q] and [m b, h d_k], rows as Pairing says; there are as many
// heads of keys as of queries.

/// The parameters of a score under the engine's names and in its shapes (core/attention/parameters.h), shared
/// by heads.
struct ScoreWeights : NamedWeights {
    /// What its definition says; null: dot products and additive energies, which have operations of their
    /// own.
    std::shared_ptr<const DefinedMap> defined = nullptr;
};

/// Extents that parameters follow from.
struct ScoreExtents {
    Index heads = 1;
    Index query_width = 0;  ///< d_q of a head
    Index key_width = 0;    ///< d_k of a head
    Index queries = 1;      ///< places that a query can have: of random_synthesizer
    Index keys =
        1;  ///< places that a key can have: of location and the synthesizers; later ones have no score
};

/// Adds what the engine asks for, PREFIX + NAME, to the layout; `score` may leave options out. Throws Error
/// where the widths do not fit the score.
ScoreWeights add_score(ParameterLayout& layout, const std::string& prefix, const Score& score,
                       const ScoreExtents& extents);

/// What a score needs beside vectors. scores() counts the queries.
template <class Real>
struct ScoreState {
    Allowed allowed{};         ///< multi_token and selective look at other pairs than their own
    Index query = 0;           ///< number of the first query in its sequence
    Variable<Real> history{};  ///< [b h, m], of those that remember
};

/// The score depends on the weights that the queries before had: location_aware and coverage. It is asked for
/// one query at a time, and remember() is told the weights of each.
bool remembers(const Score& score);
/// The state before the first query: weights spread over all keys that count, or, where they are summed,
/// none.
template <class Real>
ScoreState<Real> first_state(Tape<Real>& tape, const Pairing& pairing, const Score& score,
                             const Allowed& allowed = {});
/// weights: [b h, m], of the one query that was asked for.
template <class Real>
void remember(Tape<Real>& tape, const Score& score, Variable<Real> weights, ScoreState<Real>& state);

/// Queries and keys after the score's norm (QK-norm): [n b, h d]. A place encoding that turns them does so
/// after it, as in Qwen3, Gemma 3 and OLMo 2 and as the engine does it.
template <class Real>
Variable<Real> normalized_queries(Tape<Real>& tape, const Pairing& pairing, const Score& score,
                                  Variable<Real> query, const ScoreWeights& weights);
template <class Real>
Variable<Real> normalized_keys(Tape<Real>& tape, const Pairing& pairing, const Score& score,
                               Variable<Real> key, const ScoreWeights& weights);

/// What a score needs of the keys whatever the query: worked out once for a decoder's many steps.
template <class Real>
struct ScoreKeys {
    Variable<Real> vectors;  ///< k as it meets the queries, [m b, h d_k]
    Variable<Real> side;     ///< its part of the energy, [m b, h d_a], of scores with one
};

/// key: [m b, h d_k], as it meets the queries: normalised, and turned by its place where there is such an
/// encoding.
template <class Real>
ScoreKeys<Real> prepare_keys(Tape<Real>& tape, const Pairing& pairing, const Score& score, Variable<Real> key,
                             const ScoreWeights& weights);

/// query: [n b, h d_q], as it meets the keys -> [b h n, m]. `score` has all its options (complete_score).
template <class Real>
Variable<Real> scores(Tape<Real>& tape, const Pairing& pairing, const Score& score, Variable<Real> query,
                      const ScoreKeys<Real>& keys, const ScoreWeights& weights,
                      ScoreState<Real>* state = nullptr);

/// Models take it by itself, between projections of theirs; one of which they do not learns by its whole
/// mechanism's program (graph_attention.h).
bool stands_alone(const Score& score);
/// The score of one query depends on other queries, which must therefore be asked for at once: multi_token
/// with more than one query in its kernel, selective and gaussian_window. A decoder that makes its queries
/// one after another cannot have them.
bool couples_queries(const Score& score);
/// With every option that it leaves out. Throws Error for an option that there is not, or that is out of
/// range.
Score complete_score(const Score& score);

}  // namespace headlight::nn
