#include "core/attention/component.h"
#include "core/attention/grid.h"

namespace headlight {

MaskComponent declare_masks_shifted_grid_window() {
    MaskComponent component;
    component.meaning =
        "Windows of size × size cells moved by half a window down and to the right; what Swin wraps around "
        "the border stays apart (Liu et al. 2021, with forbidden pairs at −∞ and not at −100)";
    component.options = {columns_option(), count_option("size", "Window", 2, {1, 4096},
                                                        "Side of a window in cells: a query sees size² keys, "
                                                        "fewer in the windows cut off at the border.")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        const Grid grid{options.count("columns")};
        const Index size = options.count("size"), into_window = size - size / 2;
        const auto same = [=](Index a, Index b) {
            return (a + into_window) / size == (b + into_window) / size;
        };
        return [=](Index query, Index key) {
            return same(grid.row(query), grid.row(key)) && same(grid.column(query), grid.column(key));
        };
    };
    return component;
}

}  // namespace headlight
