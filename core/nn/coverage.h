#pragma once

#include "core/nn/tape.h"

#include <span>

namespace headlight::nn {

/// What looking again costs: factor times the sum of min(weight, covered) over the keys of every row that has
/// a label, one that is not negative (See, Liu & Manning 2017, equation 12). weights [r, m], `covered` [r, m]
/// the weights of all queries before, labels [r] -> [1, 1]
template <class Real>
Variable<Real> coverage_loss(Tape<Real>& tape, Variable<Real> weights, Variable<Real> covered,
                             std::span<const Index> labels, Real factor);

}  // namespace headlight::nn
