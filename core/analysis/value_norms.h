#pragma once

#include "core/tensor/tensor.h"

namespace headlight {

// What a key gives a query is its weight times its value, so that a bright cell may carry nothing: maps of
// the norms of those vectors (Kobayashi et al. 2020, "Attention is not only a weight", section 3).

/// f(x_j) = v_j W_o^h, [head, key, d_out], of `value` [kv head, key, d_v] and `output_matrix`
/// [head * d_v, d_out], each head's rows of it below those of the head before. Throws Error when the heads or
/// widths do not fit.
Tensor transformed_values(const Tensor& value, const Tensor& output_matrix);

/// |f(x_j)|, [head, key], of `transformed` [head, key, d_out].
Tensor norms_of_keys(const Tensor& transformed);

}  // namespace headlight
