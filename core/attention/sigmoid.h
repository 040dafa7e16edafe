#pragma once

#include <cmath>

namespace headlight {

/// 1 / (1 + exp(-x)), without overflow.
inline double sigmoid(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }

}  // namespace headlight
