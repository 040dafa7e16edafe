#pragma once

#include "core/attention/trace.h"
#include "core/tensor/storage.h"
#include "core/tensor/tensor.h"

#include <span>
#include <string>
#include <vector>

namespace headlight {

/// The weights of a layer's heads, each [token, token] over one sequence.
using LayerWeights = std::vector<Storage<const double>>;

/// How much of each input token is in each token behind the last layer: attention rollout, R = B_L ... B_1
/// with B_l = A_l + I divided by its row sums, A_l the mean of the layer's heads and I its residual
/// connection (Abnar and Zuidema 2020, section 3). Rows that sum to 1 become A_l / 2 + I / 2, and a row
/// without any weight keeps its token. Every row of the answer sums to 1.
///
/// `layers`: from the first on. The answer is the rows `first` to `first + count`, [count, tokens]. It can be
/// interrupted. Throws Error when there is no layer, when a map is not one of `tokens` tokens, and for
/// negative weights, of which no share can be taken.
Tensor attention_rollout(std::span<const LayerWeights> layers, Index tokens, Index first, Index count);

/// Why there is no rollout through the layers up to a site of a trace, in words; empty if there is.
std::string rollout_lack(const Trace& trace, const std::string& site);

/// The layers up to that one, the first one first. Nothing is copied. Throws Error where rollout_lack()
/// something.
std::vector<LayerWeights> layers_up_to(const Trace& trace, const std::string& site);

}  // namespace headlight
