#include "core/model/decoding.h"

#include <algorithm>

namespace headlight {

Index likeliest(std::span<const float> logits) { return std::ranges::max_element(logits) - logits.begin(); }

}  // namespace headlight
