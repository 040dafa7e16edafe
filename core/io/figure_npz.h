#pragma once

#include "core/figure/figure.h"

#include <string>

namespace headlight {

/// The numbers of the view as an archive of NumPy, the same bytes each time. Of each panel, counted from 1:
/// `values_1` float64 [row, column], `rows_1` [row] and `columns_1` [column], the labels; `titles` [panel].
/// Where the figure has a table, also `table` float64 [line, column], NaN where there is no number,
/// `table_names` [line] and `table_titles` [1 + column]. Throws Error for a large map, and for what takes
/// more than memory_limit().
std::string to_npz(const Figure& figure);

}  // namespace headlight
