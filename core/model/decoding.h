#pragma once

#include "core/tensor/tensor.h"

#include <span>

namespace headlight {

/// The number of the largest.
Index likeliest(std::span<const float> logits);

}  // namespace headlight
