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
/// stands for those of all heads, then what stands for those of all layers.
struct WeightLens {
    DrawnWeights weights = DrawnWeights::raw;
    /// In rising order: see core/map/hidden_keys.h.
    std::vector<Index> hidden_keys;
    /// One map in place of those of all heads, where a picture is of one head; nothing: the head's own.
    std::optional<PooledHeads> pooled{};
    /// One map in place of those of every layer of its kind: see core/analysis/pooled_layers.h. Nothing: the
    /// layer's own. Not of a rollout, which goes through the layers.
    std::optional<MapReduction> pooled_layers{};
    bool operator==(const WeightLens&) const = default;
};

}  // namespace headlight
