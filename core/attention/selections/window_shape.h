#pragma once

#include "core/tensor/tensor.h"

#include <cmath>

namespace headlight {

// The window of local attention around the place that a query looks at, which need not be a whole number
// (Luong et al. 2015, section 3.2): for runs and for training alike.

inline bool is_in_window(double centre, double radius, Index key) {
    return std::abs(static_cast<double>(key) - centre) <= radius;
}

/// exp(-(j - p)^2 / (2 sigma^2))                                                             (equation 10)
inline double window_factor(double centre, double sigma, Index key) {
    const double distance = (static_cast<double>(key) - centre) / sigma;
    return std::exp(-distance * distance / 2);
}

}  // namespace headlight
