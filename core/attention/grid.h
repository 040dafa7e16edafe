#pragma once

#include "core/attention/options.h"

#include <algorithm>

namespace headlight {

/// Tokens laid out on a grid, row by row; the last row may be incomplete.
struct Grid {
    Index columns = 1;
    Index row(Index token) const { return token / columns; }
    Index column(Index token) const { return token % columns; }
};

/// `other` lies in the window of `size` places around `place` on a line of so many: at its ends the window is
/// moved inside and not cut.
inline bool is_in_moved_window(Index place, Index other, Index size, Index places) {
    const Index first = std::clamp<Index>(place - size / 2, 0, std::max<Index>(places - size, 0));
    return other >= first && other < first + size;
}

/// The same among the places a whole number of steps away from `place`.
inline bool is_in_dilated_window(Index place, Index other, Index size, Index places, Index step) {
    const Index first = place % step, count = parts_of_size(places - first, step);
    return other % step == first && is_in_moved_window(place / step, other / step, size, count);
}

/// The option of every pattern on a grid.
inline Option columns_option() {
    return count_option("columns", "Columns", 3, {1, 65536},
                        "How many tokens a row of the grid has: token i lies in row ⌊i / columns⌋, column i "
                        "mod columns, counted from 0.");
}

}  // namespace headlight
