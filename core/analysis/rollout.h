#pragma once

#include "core/tensor/tensor.h"

#include <span>

namespace headlight {

/// How much of each input token is in each token behind the last layer: attention rollout, R = B_L ... B_1
/// with B_l = A_l + I divided by its row sums, A_l the mean of the layer's heads and I its residual
/// connection (Abnar and Zuidema 2020, section 3). Rows that sum to 1 become A_l / 2 + I / 2, and a row
/// without any weight keeps its token. Every row of the answer sums to 1.
///
/// `layers`: from the first on, each [head, token, token]; the answer is [token, token].
/// Throws Error when there is no layer, when a map is not of one sequence of the first one's length, and for
/// negative weights, of which no share can be taken.
Tensor attention_rollout(std::span<const Tensor> layers);

}  // namespace headlight
