#pragma once

#include "core/attention/spec.h"
#include "core/tensor/tensor.h"

#include <algorithm>
#include <cmath>

namespace headlight {

// The norms of queries and keys (QK-norm), for runs and for training alike.

inline constexpr double smallest_variance = 1e-6;  ///< under the root, as PyTorch's RMSNorm and Qwen3 have it
/// Takes the place of 0 as a vector's length, as torch.nn.functional.normalize has it.
inline constexpr double smallest_length = 1e-12;

/// A normalised vector is (x - mean) / length.
struct VectorMeasure {
    double mean = 0;    ///< 0 but for VectorNorm::layer
    double length = 1;  ///< the l2 norm, or the root of the mean square around the mean

    template <class Real>
    Real normal(Real x) const {
        return static_cast<Real>((static_cast<double>(x) - mean) / length);
    }
};

/// What the vector [width] is normalised by; `norm` is not VectorNorm::none.
template <class Real>
VectorMeasure measure(const Real* vector, Index width, VectorNorm norm) {
    const auto count = static_cast<double>(width);
    double sum = 0, squares = 0;
    for (Index i = 0; i < width; ++i)
        sum += static_cast<double>(vector[i]);
    const double mean = norm == VectorNorm::layer ? sum / count : 0;
    for (Index i = 0; i < width; ++i) {
        const double from_mean = static_cast<double>(vector[i]) - mean;
        squares += from_mean * from_mean;
    }
    return {mean, norm == VectorNorm::l2 ? std::max(std::sqrt(squares), smallest_length)
                                         : std::sqrt(squares / count + smallest_variance)};
}

/// to = the normalised vector, times `gain` [width] unless that is null. `to` may be `vector`.
template <class Real>
void normalize_vector(const Real* vector, Index width, const VectorMeasure& by, const Real* gain, Real* to) {
    for (Index i = 0; i < width; ++i)
        to[i] = by.normal(vector[i]) * (gain ? gain[i] : Real(1));
}

}  // namespace headlight
