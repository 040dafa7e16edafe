#include "core/attention/component.h"
#include "core/attention/grid.h"

namespace headlight {

MaskComponent declare_masks_grid_stride() {
    MaskComponent component;
    component.meaning =
        "y_i − y_j a multiple of down and x_i − x_j of across: a net over the whole grid, H W / (down "
        "across) keys on one of H × W cells (MaxViT’s grid attention, Tu et al. 2022; CrossFormer, Wang et "
        "al. 2022; MobileViT, Mehta and Rastegari 2022)";
    component.options = {
        columns_option(),
        count_option("down", "Step down", 2, {1, 4096},
                     "Every how many rows one is seen; MaxViT’s H / G for a net of G × G."),
        count_option("across", "Step across", 2, {1, 4096},
                     "Every how many columns one is seen; 1 in both directions is no mask.")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        const Grid grid{options.count("columns")};
        return
            [grid, down = options.count("down"), across = options.count("across")](Index query, Index key) {
                return (grid.row(query) - grid.row(key)) % down == 0 &&
                       (grid.column(query) - grid.column(key)) % across == 0;
            };
    };
    return component;
}

}  // namespace headlight
