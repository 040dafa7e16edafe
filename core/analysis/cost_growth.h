#pragma once

#include "core/catalog/mechanism.h"

namespace headlight {

/// How the multiply-adds of a mechanism with its standard knobs grow with the length of the sequence. A mask
/// counts by the pairs that it allows.
enum class CostGrowth { linear, beyond_linear };
CostGrowth cost_growth(const Mechanism& mechanism);

/// "linear in tokens", as a search asks for it.
inline bool is_linear_in_tokens(const Mechanism& mechanism) {
    return cost_growth(mechanism) == CostGrowth::linear;
}

}  // namespace headlight
