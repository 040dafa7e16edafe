#pragma once

#include "core/tensor/tensor.h"

#include <cmath>
#include <limits>

namespace headlight {

// The window of local attention around the place that a query looks at, which need not be a whole number
// (Luong et al. 2015, section 3.2): for runs and for training alike.

inline bool is_in_window(double centre, double radius, Index key) {
    return std::abs(static_cast<double>(key) - centre) <= radius;
}

/// Scores of the keys from 0 on: minus infinity outside the window.
template <class Real>
void forbid_outside_window(double centre, double radius, Real* scores, Index size) {
    for (Index key = 0; key < size; ++key)
        if (!is_in_window(centre, radius, key))
            scores[key] = -std::numeric_limits<Real>::infinity();
}

/// sigma where none is given, of a window that reaches so far.
inline double standard_sigma(double radius) { return radius / 2; }

/// exp(-(j - p)^2 / (2 sigma^2))                                                             (equation 10)
inline double window_factor(double centre, double sigma, Index key) {
    const double distance = (static_cast<double>(key) - centre) / sigma;
    return std::exp(-distance * distance / 2);
}

}  // namespace headlight
