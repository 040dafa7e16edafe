#pragma once

#include "core/map/map_source.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace headlight {

/// Weights as a table, as `headlight render` writes the numbers of a view: a row of the keys' names behind an
/// empty corner, and a row for each query, its name and its weights; a blank line and a title between heads.
/// nan and an empty cell are missing weights.
///
/// Token vectors are tables with names too. A table is one of weights where every number is from 0 to 1, and
/// the columns have the names of the rows, in their order; numbered or with other names than the rows, where
/// also every row sums to 1 and some row has more than one number, as weights have and one-hot vectors do
/// not.
///
/// One layer, whose heads are the tables of weights in the file; nothing where the first is none, or another
/// is of other tokens.
std::optional<LabelledMaps> maps_in_table(std::string_view bytes);

/// The same of a file, or all maps of one that has a line for each number (maps_in_lines.h). Throws Error
/// where it is neither.
std::vector<LabelledMaps> read_map_table(const std::filesystem::path& path);
/// Whether a file is one of these. Throws nothing.
bool is_map_table(const std::filesystem::path& path);

}  // namespace headlight
