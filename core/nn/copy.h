#pragma once

#include "core/nn/tape.h"

#include <span>

namespace headlight::nn {

/// The logarithm of the next word's distribution when it is written with probability g = sigmoid(gate), or
/// else copied from where the attention looks:
///   P(w) = g softmax(logits)(w) + (1 - g) sum of the weights of the keys that hold w
/// (See, Liu & Manning 2017, equations 8 and 9). logits [r, v], weights [r, m], gate [r, 1] -> [r, v]. Key j
/// of row i holds the word keys[j b + i % b], b = keys.size() / m, nothing that can be said if negative.
/// A word that has no probability is as if it had 1e-30, and passes no gradient on.
template <class Real>
Variable<Real> copy_logits(Tape<Real>& tape, Variable<Real> logits, Variable<Real> weights,
                           Variable<Real> gate, std::span<const Index> keys);

/// The logarithm of a word that has no probability, for who says something: any temperature leaves it out.
inline constexpr double log_of_impossible = -1e4;

/// Gives that to the words that copy_logits() has at its floor.
template <class Real>
void rule_out_impossible(Variable<Real> said);

/// What copy_logits() mixes: P = generates vocabulary + (1 - generates) copied.
template <class Real>
struct CopyMixture {
    Variable<Real> generates;   ///< g, [r, 1]: p_gen of equation 8
    Variable<Real> vocabulary;  ///< softmax(logits), [r, v]
    Variable<Real> copied;      ///< sum of the weights of the keys that hold a word, [r, v]
};

/// The same arguments: numbers to be looked at, through which no gradient passes.
template <class Real>
CopyMixture<Real> copy_mixture(Tape<Real>& tape, Variable<Real> logits, Variable<Real> weights,
                               Variable<Real> gate, std::span<const Index> keys);

}  // namespace headlight::nn
