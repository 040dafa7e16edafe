#pragma once

#include "core/figure/figure.h"
#include "ui/views/cell_place.h"

namespace headlight {

/// Leaves only the lines of the place: one token's, or one line for a pair; all of them when it names
/// nothing. What goes is missing (NaN), not zero, so that it is not drawn at all.
void keep_lines(Panel& panel, const CellPlace& place);

/// Lets all other lines step back behind that of a pair, without taking them away: the pointer goes from one
/// to the next.
void point_out_line(Panel& panel, const CellPlace& place);

}  // namespace headlight
