#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// A softmax over the keys for each feature: of c tanh((q W_1 + k W_2 + b)_f / c) the one of feature f, which
/// weighs the values' feature f (Shen et al. 2018, equation 15). The weights are the mean over the features.
struct FeatureScores {
    Matrix of_query, of_key;  ///< [d_k, d_v]
    Row shift;                ///< [d_v]
    Number bound = 5;
};
HeadResult multi_dimensional(const Head& head, const FeatureScores& given);

/// z = sum of max(0, q . k / sqrt(d)) v of all heads side by side; gain z / sqrt(mean of z^2 + 1e-8),
/// times sigmoid(gate z) where there is a gate (Zhang et al. 2021; the small number is that of their code).
struct RectifiedNorm {
    Row gain, gate;  ///< [h d_v]; an empty gate is none
};
std::vector<HeadResult> rectified(const std::vector<Head>& heads, const RectifiedNorm& norm);

/// Scores over a number of their row: (s - mean) / sqrt(variance + 1e-5); or s over the root of the sum of
/// squares, the root of the number of keys, or the sum, 0 in place of a division by 0.
enum class RowDivisor { deviation, length, count, sum };
Row divided_row(const Row& scores, const std::vector<bool>& allowed, Number temperature, RowDivisor by);

}  // namespace headlight::reference
