#pragma once

#include <algorithm>
#include <cmath>

namespace headlight {

/// 1 / (1 + exp(-x)), without overflow: the power is at most 1. What it is divided from is looked up: a
/// branch on the sign of any numbers is mispredicted half of the time.
template <class Real>
Real sigmoid(Real x) {
    const Real power = std::exp(-std::abs(x));
    const Real above[] = {1, power};
    return above[x < 0] / (1 + power);
}

/// Its logarithm, without overflow on either side.
inline double log_sigmoid(double x) { return std::min(x, 0.0) - std::log1p(std::exp(-std::abs(x))); }

/// log(1 + exp(x)), without overflow.
inline double softplus(double x) { return -log_sigmoid(-x); }

}  // namespace headlight
