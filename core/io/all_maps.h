#pragma once

#include "core/map/map_source.h"

#include <filesystem>
#include <span>
#include <string>

namespace headlight {

// Every number of every map, whatever a picture has room for. Both throw Error for what takes more than
// memory_limit().

/// An archive of NumPy with an array [layer, head, query, key] of float64 for each kind of maps, by its name
/// or `weights`; `queries` and `keys` are their labels, behind the name of the kind where there is one.
/// `layers` [layer] are their numbers in the model, from 1, where they are others than their places. A
/// capture reads it as the maps that it was.
std::string maps_npz(std::span<const LabelledMaps> kinds);

/// What stands before `queries` and `keys` of the array of that name.
std::string prefix_in_all_maps(const std::string& array);

/// A line for each number: kind, where there are any, layer, head, query, key, from 1, the labels of the last
/// two, and the number.
std::string maps_csv(std::span<const LabelledMaps> kinds);

/// Whether a file of that name may have all maps: an .npz or a .csv.
bool may_have_all_maps(const std::filesystem::path& path);

/// Throws Error unless it may.
void require_name_for_all_maps(const std::filesystem::path& path);

/// Writes them into a file that may have them, atomically.
void save_all_maps(std::span<const LabelledMaps> kinds, const std::filesystem::path& path);

}  // namespace headlight
