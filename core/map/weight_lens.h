#pragma once

#include "core/map/pooled_heads.h"

#include <optional>
#include <vector>

namespace headlight {

/// What stands for a weight where weights are drawn and counted.
enum class DrawnWeights {
    raw,          ///< as they are
    value_norms,  ///< the norms of what keys give: see value_norms.h
};

/// How weights are looked at: first what stands for them, then which keys they are seen without, then what
/// stands for those of all heads.
struct WeightLens {
    DrawnWeights weights = DrawnWeights::raw;
    /// In rising order: see core/map/hidden_keys.h.
    std::vector<Index> hidden_keys;
    /// One map in place of those of all heads, where a picture is of one head; nothing: the head's own.
    std::optional<PooledHeads> pooled{};
    bool operator==(const WeightLens&) const = default;
};

}  // namespace headlight
