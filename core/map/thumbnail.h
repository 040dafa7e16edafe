#pragma once

#include "core/map/map_source.h"
#include "core/tensor/number_range.h"

#include <cstdint>
#include <vector>

namespace headlight {

/// A map made small: each of its cells is the number of a block of the map's that is furthest from 0, so that
/// one bright cell never vanishes, and NaN where the block has no number.
struct Thumbnail {
    Index rows = 0, columns = 0;
    std::vector<float> largest;             ///< [row, column]
    std::vector<std::uint8_t> forbidden{};  ///< [row, column], 1 = the mask forbids the whole block; or empty
    NumberRange range;                      ///< of the cells that are not
};

/// At most `most_cells` on either side, as far as a map of many thousand tokens can be folded; one that is no
/// larger keeps its cells.
Thumbnail thumbnail_of(const MapSource& maps, MapPlace place, Index most_cells);

/// [layer * heads + head], on all processors.
std::vector<Thumbnail> thumbnails_of(const MapSource& maps, Index most_cells);

}  // namespace headlight
