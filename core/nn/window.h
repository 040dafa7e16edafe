#pragma once

#include "core/nn/tape.h"

namespace headlight::nn {

// Windows around a place for each row of a map: [r, m] and its centres [r, 1]  (Luong et al. 2015, section
// 3.2).

/// Minus infinity where |j - centre| > radius. Nothing is passed on to the centres.
template <class Real>
Variable<Real> mask_window(Tape<Real>& tape, Variable<Real> scores, Variable<Real> centres, Real radius);

/// Weights times exp(-(j - centre)^2 / (2 sigma^2))                                                 (eq. 10)
template <class Real>
Variable<Real> weigh_window(Tape<Real>& tape, Variable<Real> weights, Variable<Real> centres, Real sigma);

}  // namespace headlight::nn
