#include "ui/views/line_filter.h"

#include "core/figure/panel_part.h"

#include <limits>

namespace headlight {

void keep_lines(Panel& panel, const CellPlace& place) {
    if (!place.row && !place.column)
        return;
    point_out_line(panel, place);
    const auto keeps = [](std::optional<Index> wanted, Index index) { return !wanted || *wanted == index; };
    std::vector<double> values = panel.values.copy();
    for (Index row = 0; row < panel.rows; ++row)
        for (Index column = 0; column < panel.columns; ++column)
            if (!keeps(place.row, panel.row_axis.first + row) ||
                !keeps(place.column, panel.column_axis.first + column))
                values[static_cast<std::size_t>(row * panel.columns + column)] =
                    std::numeric_limits<double>::quiet_NaN();
    panel.values = std::move(values);
}

void point_out_line(Panel& panel, const CellPlace& place) {
    // The painter lets the lines of other tokens than the selected ones step back.
    panel.selected_row = cell_of_part(place.row, {panel.row_axis.first, panel.rows});
    panel.selected_column = cell_of_part(place.column, {panel.column_axis.first, panel.columns});
}

}  // namespace headlight
