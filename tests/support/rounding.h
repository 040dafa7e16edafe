#pragma once

#include "core/attention/spec.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace headlight::test {

/// Whether a result of chosen numbers may be more uncertain than others by orders of magnitude: where
/// differences of results are taken, as slopes are, these are by as much.
inline bool magnifies_rounding(const AttentionSpec& spec) {
    switch (spec.algorithm.type) {
    case AlgorithmType::rebased:  // a row is divided by (q · k)², next to nothing for vectors at right angles
    case AlgorithmType::power:
    case AlgorithmType::fourier_features:  // ... by a sum of waves that may cancel
    case AlgorithmType::kernel_landmarks:  // an inverse that only the ridge keeps in bounds
        return true;
    default:
        return false;
    }
}

/// How far the engine in double may be from its oracle, relative to the larger of 1 and the largest number:
/// two orders of the same arithmetic differ by a few units of the last place (2e-16), some fifty where rows
/// are long. Only what magnifies its own rounding may differ by more, and by no more than 1e-12; but for one
/// divisor that may cancel, where the largest of the oracle's `weights` says by how much it has.
inline double double_tolerance(const AttentionSpec& spec, std::span<const double> weights) {
    if (spec.algorithm.type == AlgorithmType::fourier_features) {
        // Each row is divided by a sum of waves of either sign. Where they cancel, no order of the sums
        // helps: the last places of queries and keys decide, and the larger the weights become, the less
        // certain they are. Of 32,000 heads with few directions or a small temperature none was, relative as
        // here, further from its numbers in long double than 1.3e-13 times the largest weight, and that was
        // up to 3e6.
        double largest = 1;
        for (const double weight : weights)
            largest = std::max(largest, std::abs(weight));
        return std::min(1e-12 * largest, 1e-11);
    }
    if (magnifies_rounding(spec))
        return 1e-12;
    switch (spec.algorithm.type) {
    case AlgorithmType::local_linear:  // a system of equations for each query
    case AlgorithmType::hopfield:      // a sharp softmax of what a sharp softmax retrieved
    case AlgorithmType::mlstm:         // a row is divided by its sum, next to nothing where terms cancel
    case AlgorithmType::hstu:          // a layer norm of numbers that may lie close together
    case AlgorithmType::ttt:           // ... and one inside what is learned
    case AlgorithmType::layer_stack:   // a sharp softmax of what layers have added up
    case AlgorithmType::two_stream:
    case AlgorithmType::inducing_points:    // may have a layer norm of numbers close together
    case AlgorithmType::attention_pooling:  // ... and this one, too
    case AlgorithmType::shared_points:      // has one of few features
    case AlgorithmType::hybrid_heads:       // a norm of what states have added up
        return 1e-12;
    default:
        break;
    }
    if (spec.position.type == PositionType::dynamic_bias)  // may have a layer norm of numbers close together
        return 1e-12;
    if (spec.normalizer.type == NormalizerType::tree)  // the difference of two numbers of an inverse
        return 1e-12;
    if (spec.normalizer.type == NormalizerType::entmax)  // for α > 2 a root, steep where a key falls out
        return 1e-12;
    return 1e-13;
}

}  // namespace headlight::test
