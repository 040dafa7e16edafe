#pragma once

#include "core/map/map_source.h"

#include <functional>

namespace headlight::test {

/// Maps whose numbers follow from their places; a row at a time, as the simplest source gives them.
class GeneratedMaps : public MapSource {
public:
    using Number = std::function<double(MapPlace place, Index query, Index key)>;
    GeneratedMaps(Extents extents, Number number) : MapSource(extents), number_(std::move(number)) {}

    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override {
        auto cell = to.begin();
        for (Index query = first; query < first + count; ++query)
            for (Index key = 0; key < extents().keys; ++key)
                *cell++ = number_(place, query, key);
    }

private:
    Number number_;
};

/// A number of a place between 0 and 1 that follows no pattern.
inline double scattered(MapPlace place, Index query, Index key) {
    auto bits = static_cast<std::uint64_t>(((place.layer * 31 + place.head) * 65'537 + query) * 65'537 + key);
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;  // SplitMix64, Steele et al. 2014
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<double>((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
}

/// [query, key]
inline std::vector<double> map_of(const MapSource& maps, MapPlace place) {
    std::vector<double> map(static_cast<std::size_t>(maps.extents().queries * maps.extents().keys));
    maps.read_rows(place, 0, maps.extents().queries, map);
    return map;
}

}  // namespace headlight::test
