#pragma once

#include "core/nn/tape.h"

#include <span>

namespace headlight::nn {

/// The logarithm of the next word's distribution when it is written with probability g = sigmoid(gate), or
/// else copied from where the attention looks:
///   P(w) = g softmax(logits)(w) + (1 - g) sum of the weights of the keys that hold w
/// (See, Liu & Manning 2017, equations 8 and 9). logits [r, v], weights [r, m], gate [r, 1] -> [r, v]. Key j
/// of row i holds the word keys[j b + i % b], b = keys.size() / m, nothing that can be said if negative.
template <class Real>
Variable<Real> copy_logits(Tape<Real>& tape, Variable<Real> logits, Variable<Real> weights,
                           Variable<Real> gate, std::span<const Index> keys);

}  // namespace headlight::nn
