#pragma once

#include "core/tensor/tensor.h"

#include <cstdlib>

namespace headlight {

/// m_h = 2^(-8 (h+1) / H) for a power of two; else those of the power below, then every second one of the
/// power above (Press et al. 2022, and the authors' code).
double alibi_slope(Index head, Index heads);

enum class AlibiForm { signed_distance, absolute_distance, key_only };

/// What the scores of a query get, for runs and for training alike: -m (i - j), -m |i - j| or m j of the keys
/// from 0 on, [size].
template <class Real>
void fill_alibi(double slope, AlibiForm form, Index query, Real* biases, Index size) {
    for (Index key = 0; key < size; ++key) {
        const Index signed_distance = form == AlibiForm::key_only ? -key : query - key;
        const Index distance =
            form == AlibiForm::absolute_distance ? std::abs(signed_distance) : signed_distance;
        biases[key] = static_cast<Real>(-slope * static_cast<double>(distance));
    }
}

}  // namespace headlight
