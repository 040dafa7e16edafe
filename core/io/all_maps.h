#pragma once

#include "core/map/map_source.h"

#include <span>
#include <string>

namespace headlight {

// Every number of every map, whatever a picture has room for. Both throw Error for what takes more than
// memory_limit().

/// An archive of NumPy with an array [layer, head, query, key] of float64 for each kind of maps, by its name
/// or `weights`; `queries` and `keys` are their labels, behind the name of the kind where there is one.
std::string maps_npz(std::span<const LabelledMaps> kinds);

/// A line for each number: kind, where there are any, layer, head, query, key, from 1, the labels of the last
/// two, and the number.
std::string maps_csv(std::span<const LabelledMaps> kinds);

}  // namespace headlight
