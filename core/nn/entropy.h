#pragma once

#include "core/nn/tape.h"

#include <span>

namespace headlight::nn {

/// -sum of p log p, p = softmax of a row of scores (minus infinity where a key is forbidden), times the row's
/// factor, over all rows: [r, m] [r] -> [1, 1]
template <class Real>
Variable<Real> entropy(Tape<Real>& tape, Variable<Real> scores, std::span<const Real> factors);

}  // namespace headlight::nn
