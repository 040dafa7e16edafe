#include "core/attention/component.h"
#include "core/attention/grid.h"

namespace headlight {

MaskComponent declare_masks_grid_window() {
    MaskComponent component;
    component.meaning = "Query and key lie in the same window of size × size cells of a grid that the tokens "
                        "fill row by row: size² keys (Swin, Liu et al. 2021)";
    component.options = {
        columns_option(),
        count_option("size", "Window", 2, {1, 4096},
                     "Side of a window in cells: a query sees size² keys, fewer where the grid ends.")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        const Grid grid{options.count("columns")};
        return [grid, size = options.count("size")](Index query, Index key) {
            return grid.row(query) / size == grid.row(key) / size &&
                   grid.column(query) / size == grid.column(key) / size;
        };
    };
    return component;
}

}  // namespace headlight
