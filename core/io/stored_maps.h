#pragma once

#include "core/io/stored_bytes.h"
#include "core/io/stored_types.h"
#include "core/map/map_source.h"

#include <memory>

namespace headlight {

/// Where the numbers of maps lie in an array, counted in numbers from its first one: which one is the first
/// of the maps, and how far it is along each axis from one to the next.
struct MapLayout {
    MapSource::Extents extents;
    Index first = 0, layer = 0, head = 0, query = 0, key = 0;
};

/// Maps of an array that begins at `begin`. Where the keys of a query follow one another they are read where
/// they are looked at. Else, as in Fortran's order, the array is read here and put in order in memory; throws
/// Error when that takes more than memory_limit().
std::shared_ptr<const MapSource> stored_maps(const MapLayout& layout,
                                             std::shared_ptr<const StoredBytes> bytes, std::size_t begin,
                                             const StoredNumber& type);

}  // namespace headlight
