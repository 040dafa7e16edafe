#pragma once

#include "core/figure/large_map.h"
#include "core/map/map_source.h"

#include <vector>

namespace headlight {

/// Returns, for each row of `cell_rows` x `cell_columns` cells in which a part of a large map, `rows` x
/// `columns` numbers of it, is drawn, the cells that its mask allows some pair of. Empty where it forbids
/// none of the part, or nobody knows a mask.
std::vector<KeyRange> allowed_cells(const LargeMap& map, Index rows, Index columns, Index cell_rows,
                                    Index cell_columns);

/// The keys of the part, counted from its first one, that the query of a row of the part may look at: none of
/// them from 0 to 0 where they lie behind those, from `columns` to `columns` where before.
KeyRange allowed_columns(const LargeMap& map, Index row, Index columns);

/// [cell row, cell column] of the same cells, 1 = every pair in it is forbidden; empty where none is so.
std::vector<std::uint8_t> forbidden_cells(const LargeMap& map, Index rows, Index columns, Index cell_rows,
                                          Index cell_columns);

/// [row, column] of a part, 1 = forbidden; empty where nothing is.
std::vector<std::uint8_t> forbidden_pairs(const LargeMap& map, Index rows, Index columns);

}  // namespace headlight
