#include "core/attention/component.h"
#include "core/attention/grid.h"

namespace headlight {

MaskComponent declare_masks_halo() {
    MaskComponent component;
    component.meaning = "The key lies in the query’s block of size × size cells of a grid or at most halo "
                        "cells outside it: (size + 2 halo)² keys, the same for the whole block (HaloNet, "
                        "Vaswani et al. 2021)";
    component.options = {
        columns_option(),
        count_option("size", "Block", 2, {1, 4096},
                     "Side of a block in cells; its queries see the same keys."),
        count_option("halo", "Halo", 1, {0, 4096},
                     "How many cells around the block its queries see as well; cells outside the grid are "
                     "missing. 0: windows that know nothing of one another.")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        const Grid grid{options.count("columns")};
        const Index size = options.count("size"), halo = options.count("halo");
        const auto near = [=](Index place, Index other) {
            const Index first = place / size * size;  // of the block
            return other >= first - halo && other < first + size + halo;
        };
        return [=](Index query, Index key) {
            return near(grid.row(query), grid.row(key)) && near(grid.column(query), grid.column(key));
        };
    };
    return component;
}

}  // namespace headlight
