#pragma once

#include "core/attention/spec.h"

namespace headlight::test {

/// How far the engine in double may be from its oracle, relative to the larger of 1 and the largest number:
/// two orders of the same arithmetic differ by a few units of the last place (2e-16), some fifty where rows
/// are long. Only what magnifies its own rounding may differ by more.
inline double double_tolerance(const AttentionSpec& spec) {
    switch (spec.algorithm.type) {
    case AlgorithmType::rebased:  // a row is divided by (q · k)², next to nothing for vectors at right angles
    case AlgorithmType::power:
    case AlgorithmType::fourier_features:  // ... by a sum of waves that may cancel
    case AlgorithmType::kernel_landmarks:  // an inverse that only the ridge keeps in bounds
        return 1e-11;
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
