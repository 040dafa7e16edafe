#include "ui/views/line_filter.h"

#include <limits>

namespace headlight {

void keep_lines(Panel& panel, const CellPlace& place) {
    if (!place.row && !place.column)
        return;
    // The painter lets the lines of other tokens than the selected one step back.
    panel.selected_row = place.row;
    panel.selected_column = place.column;
    const auto keeps = [](std::optional<Index> wanted, Index index) { return !wanted || *wanted == index; };
    for (Index row = 0; row < panel.rows; ++row)
        for (Index column = 0; column < panel.columns; ++column)
            if (!keeps(place.row, row) || !keeps(place.column, column))
                panel.values[static_cast<std::size_t>(row * panel.columns + column)] =
                    std::numeric_limits<double>::quiet_NaN();
}

}  // namespace headlight
