#pragma once

#include "core/attention/spec.h"
#include "core/attention/vector_length.h"

namespace headlight {

// The norms of queries and keys (QK-norm), for runs and for training alike.

inline constexpr double smallest_variance = 1e-6;  ///< under the root, as PyTorch's RMSNorm and Qwen3 have it

/// A normalised vector is (x - mean) / length; the direction of zeros is zeros.
struct VectorMeasure {
    double mean = 0;      ///< 0 but for VectorNorm::layer
    Length length{1, 1};  ///< the l2 norm, or the root of the mean square around the mean

    template <class Real>
    Real normal(Real x) const {
        return static_cast<Real>(length.divide(static_cast<double>(x) - mean));
    }
};

/// What the vector [width] is normalised by; `norm` is not VectorNorm::none.
template <class Real>
VectorMeasure measure(const Real* vector, Index width, VectorNorm norm) {
    double mean = 0;
    for (Index i = 0; i < width && norm == VectorNorm::layer; ++i)
        mean += static_cast<double>(vector[i]) / static_cast<double>(width);
    return {mean, length_around(vector, width, mean, norm != VectorNorm::l2, smallest_variance)};
}

/// to = the normalised vector, times `gain` [width] unless that is null. `to` may be `vector`.
template <class Real>
void normalize_vector(const Real* vector, Index width, const VectorMeasure& by, const Real* gain, Real* to) {
    for (Index i = 0; i < width; ++i)
        to[i] = by.normal(vector[i]) * (gain ? gain[i] : Real(1));
}

}  // namespace headlight
