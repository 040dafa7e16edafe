#pragma once

#include "core/map/map_reduction.h"
#include "core/tensor/words.h"

#include <span>

namespace headlight {

/// One map in place of those of all heads of a layer.
enum class PooledHeads {
    mean,     ///< of the weights of each pair
    maximum,  ///< the largest of the weights of each pair
    rollout,  ///< through this layer and all before it: see core/analysis/rollout.h
};

template <>
std::span<const Word<PooledHeads>> words();

/// The words of the kinds of pooled layers.
template <>
std::span<const Word<MapReduction>> words();

/// What is made of the weights of a pair. Not of a rollout, which needs those of all pairs and layers.
MapReduction reduction_of(PooledHeads pooled);

}  // namespace headlight
