#pragma once

#include "core/map/map_source.h"

#include <string_view>
#include <vector>

namespace headlight {

/// Whether a text begins as maps_csv() does, with the titles of its columns.
bool are_maps_in_lines(std::string_view csv);

/// The maps that maps_csv() has written, a line for each number: of each kind its layers with their numbers.
/// Throws Error with the line where one is not the next, or where some are missing.
std::vector<LabelledMaps> maps_in_lines(std::string_view csv);

}  // namespace headlight
