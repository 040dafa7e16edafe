#include "ui/views/line_filter.h"

#include "core/figure/panel_part.h"

#include <cmath>
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
            if (!keeps(place.row, panel.first_row + row) || !keeps(place.column, panel.first_column + column))
                values[static_cast<std::size_t>(row * panel.columns + column)] =
                    std::numeric_limits<double>::quiet_NaN();
    panel.values = std::move(values);
}

void point_out_line(Panel& panel, const CellPlace& place) {
    // The painter lets the lines of other tokens than the selected ones step back.
    panel.selected_row = cell_of_part(place.row, {panel.first_row, panel.rows});
    panel.selected_column = cell_of_part(place.column, {panel.first_column, panel.columns});
}

HiddenLines& HiddenLines::operator+=(const HiddenLines& other) {
    count += other.count;
    hidden_sum += other.hidden_sum;
    sum += other.sum;
    return *this;
}

HiddenLines hide_weak_lines(Panel& panel, double least) {
    HiddenLines hidden;
    std::vector<double> values = panel.values.copy();
    for (double& value : values) {
        const double size = std::abs(value);
        if (!std::isfinite(size) || size == 0)
            continue;
        hidden.sum += size;
        if (size >= least)
            continue;
        ++hidden.count;
        hidden.hidden_sum += size;
        value = std::numeric_limits<double>::quiet_NaN();
    }
    panel.values = std::move(values);
    return hidden;
}

}  // namespace headlight
