#include "core/map/pooled_heads.h"

#include <cassert>

namespace headlight {

template <>
std::span<const Word<PooledHeads>> words() {
    static constexpr Word<PooledHeads> list[] = {
        {PooledHeads::mean, "mean", "the mean of all heads"},
        {PooledHeads::maximum, "maximum", "the largest weight of all heads"},
        {PooledHeads::rollout, "rollout", "attention rollout through this layer and all before it"},
    };
    return list;
}

template <>
std::span<const Word<MapReduction>> words() {
    static constexpr Word<MapReduction> list[] = {
        {MapReduction::mean, "mean", "the mean of all layers"},
        {MapReduction::maximum, "maximum", "the largest weight of all layers"},
    };
    return list;
}

MapReduction reduction_of(PooledHeads pooled) {
    assert(pooled != PooledHeads::rollout);
    return pooled == PooledHeads::mean ? MapReduction::mean : MapReduction::maximum;
}

}  // namespace headlight
