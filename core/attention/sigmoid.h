#pragma once

#include <algorithm>
#include <cmath>

namespace headlight {

/// 1 / (1 + exp(-x)), without overflow.
inline double sigmoid(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }

/// Its logarithm, without overflow on either side.
inline double log_sigmoid(double x) { return std::min(x, 0.0) - std::log1p(std::exp(-std::abs(x))); }

/// log(1 + exp(x)), without overflow.
inline double softplus(double x) { return -log_sigmoid(-x); }

}  // namespace headlight
