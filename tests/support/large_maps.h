#pragma once

// Maps of more numbers than are kept.

#include "core/figure/large_map.h"
#include "core/map/query_key_maps.h"
#include "tests/support/generated_maps.h"

#include <memory>

namespace headlight::large_maps {

using test::GeneratedMaps;
using test::scattered;

inline constexpr Index tokens = 3'000;

struct Bright {
    Index row, column;
};

/// All numbers are small but one.
inline std::shared_ptr<const MapSource> one_bright_cell(Bright bright) {
    return std::make_shared<GeneratedMaps>(
        MapSource::Extents{1, 2, tokens, tokens}, [bright](MapPlace place, Index query, Index key) {
            return query == bright.row && key == bright.column ? 1.0 : 0.01 * scattered(place, query, key);
        });
}

inline LargeMap large_map(const std::shared_ptr<const MapSource>& maps) {
    LargeMap map;
    map.tiles = std::make_shared<const MapTiles>(maps);
    map.waits = true;
    return map;
}

/// Maps as a linear layer has them: all numbers are small but two.
class SignedMaps : public GeneratedMaps {
public:
    SignedMaps(Bright negative, Bright positive)
        : GeneratedMaps({1, 2, tokens, tokens}, [=](MapPlace place, Index query, Index key) {
              return query == negative.row && key == negative.column   ? -5.0
                     : query == positive.row && key == positive.column ? 3.0
                                                                       : 0.01 * scattered(place, query, key);
          }) {}
    bool is_implied(Index) const override { return true; }
};

/// Nobody has to read a number of it to know its mask: its keys are of width 2.
inline std::shared_ptr<const MapSource> masked(Index window) {
    const auto vectors = std::make_shared<GeneratedMaps>(
        MapSource::Extents{1, 1, tokens, 2},
        [](MapPlace place, Index token, Index feature) { return scattered(place, token, feature); });
    QueryKeyTerms terms;
    terms.causal = true;
    if (window > 0)
        terms.windows = {window};
    return std::make_shared<QueryKeyMaps>(vectors, vectors, terms);
}

}  // namespace headlight::large_maps
