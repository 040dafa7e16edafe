#include "core/map/map_reduction.h"

namespace headlight {

template <>
std::span<const Word<MapReduction>> words() {
    static constexpr Word<MapReduction> list[] = {
        {MapReduction::mean, "mean", "the mean of all"},
        {MapReduction::maximum, "maximum", "the largest of all"},
    };
    return list;
}

}  // namespace headlight
