#include "core/attention/component.h"
#include "core/attention/grid.h"

#include <algorithm>

namespace headlight {

MaskComponent declare_masks_neighbourhood() {
    MaskComponent component;
    component.type = MaskPattern::neighbourhood;
    component.word = "neighbourhood";
    component.meaning =
        "The size × size cells around the query; at the border the window is moved inside and not cut, so "
        "that every query of a full grid sees exactly size² keys (NATTEN, Hassani et al. 2023)";
    component.options = {columns_option(),
                         {.name = "size",
                          .label = "Neighbourhood",
                          .standard = Index(3),
                          .minimum = 1,
                          .maximum = 4096,
                          .help = "Side of the neighbourhood in cells; the paper takes odd ones. Where the "
                                  "grid is smaller, all of its cells on that side."}};
    component.allows = [](const Options& options, Index, Index keys) -> std::function<bool(Index, Index)> {
        const Grid grid{option<Index>(options, "columns")};
        const Index size = option<Index>(options, "size");
        const Index columns = std::min(grid.columns, keys), rows = (keys + grid.columns - 1) / grid.columns;
        return [=](Index query, Index key) {
            return is_in_moved_window(grid.row(query), grid.row(key), size, rows) &&
                   is_in_moved_window(grid.column(query), grid.column(key), size, columns);
        };
    };
    return component;
}

}  // namespace headlight
