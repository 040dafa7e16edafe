#include "core/attention/component.h"
#include "core/attention/grid.h"

#include <algorithm>

namespace headlight {

MaskComponent declare_masks_neighbourhood() {
    MaskComponent component;
    component.meaning =
        "The size × size cells around the query; at the border the window is moved inside and not cut, so "
        "that every query of a full grid sees exactly size² keys (NATTEN, Hassani et al. 2023); with gaps, "
        "among the cells a whole number of steps away (DiNAT, Hassani and Shi 2022)";
    component.options = {
        columns_option(),
        count_option("size", "Neighbourhood", 3, {1, 4096},
                     "Side of the neighbourhood in cells; the paper takes odd ones. Where the grid is "
                     "smaller, all of its cells on that side."),
        count_option("dilation", "Dilation", 1, {1, 4096},
                     "The step between the cells of the neighbourhood, down and across; those in between are "
                     "passed over, and the window is moved inside among those that are left.")};
    component.allows = [](const Options& options, Index, Index keys) -> MaskPredicate {
        const Grid grid{options.count("columns")};
        const Index size = options.count("size");
        const Index columns = std::min(grid.columns, keys), rows = parts_of_size(keys, grid.columns);
        const Index step = options.count("dilation");
        return [=](Index query, Index key) {
            return is_in_dilated_window(grid.row(query), grid.row(key), size, rows, step) &&
                   is_in_dilated_window(grid.column(query), grid.column(key), size, columns, step);
        };
    };
    return component;
}

}  // namespace headlight
