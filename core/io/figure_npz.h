#pragma once

#include "core/figure/figure.h"
#include "core/io/capture_arrays.h"
#include "core/io/capture_parts.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// The numbers of the view as an archive of NumPy, the same bytes each time. Of each panel, counted from 1:
/// `values_1` float64 [row, column], `rows_1` [row] and `columns_1` [column], the labels; `titles` [panel].
/// Where the figure has a table, also `table` float64 [line, column], NaN where there is no number,
/// `table_names` [line] and `table_titles` [1 + column]. Throws Error for a large map, and for what takes
/// more than memory_limit().
std::string to_npz(const Figure& figure);

/// The maps in the arrays of an archive that to_npz() wrote; nothing where they are others. Panels on the
/// same rows and columns that follow one another are the heads of one layer; what other panels have is a kind
/// of its own, by their title. Where some panels are called weights, the stages beside them are passed over.
std::optional<Capture> maps_in_figure_npz(const std::vector<FoundArray>& arrays);

}  // namespace headlight
