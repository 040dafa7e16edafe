#include "core/attention/component.h"
#include "core/attention/grid.h"

namespace headlight {

MaskComponent declare_masks_axial() {
    MaskComponent component;
    component.meaning =
        "Query and key share a row or a column of the grid: columns + rows − 1 keys, the query itself "
        "counted once (Ho et al. 2019; both at once, criss-cross attention, Huang et al. 2019)";
    component.options = {columns_option(), word_option("part", "Part", {"both", "row", "column"},
                                                       "Axial attention takes rows and columns in layers of "
                                                       "their own; criss-cross takes both at once.")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        const Grid grid{options.count("columns")};
        return [grid, part = options.word("part")](Index query, Index key) {
            return (part != "column" && grid.row(query) == grid.row(key)) ||
                   (part != "row" && grid.column(query) == grid.column(key));
        };
    };
    return component;
}

}  // namespace headlight
