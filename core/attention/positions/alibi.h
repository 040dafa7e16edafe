#pragma once

#include "core/tensor/tensor.h"

#include <cstdlib>

namespace headlight {

/// m_h = 2^(-8 (h+1) / H) for a power of two; else those of the power below, then every second one of the
/// power above (Press et al. 2022, and the authors' code).
double alibi_slope(Index head, Index heads);

enum class AlibiForm { signed_distance, absolute_distance, key_only };

/// What the score of a pair gets: -m (i - j), -m |i - j| or m j.
inline double alibi_bias(double slope, AlibiForm form, Index query, Index key) {
    const Index distance = form == AlibiForm::key_only ? -key : query - key;
    return -slope * static_cast<double>(form == AlibiForm::absolute_distance ? std::abs(distance) : distance);
}

}  // namespace headlight
