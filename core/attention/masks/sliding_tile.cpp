#include "core/attention/component.h"
#include "core/attention/grid.h"

#include <algorithm>

namespace headlight {

MaskComponent declare_masks_sliding_tile() {
    MaskComponent component;
    component.meaning =
        "The window × window tiles around the query’s tile, each of tile × tile cells of a grid; at the "
        "border the window is moved inside: (window tile)² keys, the same for all queries of a tile (STA, "
        "Zhang et al. 2025, in two dimensions)";
    component.options = {
        columns_option(),
        count_option("tile", "Tile", 2, {1, 4096},
                     "Side of a tile in cells; tiles are seen as a whole or not at all. 1: the window moves "
                     "from cell to cell, as in neighbourhood attention."),
        count_option(
            "window", "Window", 3, {1, 4096},
            "Side of the window in tiles. Where the grid has fewer, all of its tiles on that side.")};
    component.allows = [](const Options& options, Index, Index keys) -> MaskPredicate {
        const Grid grid{options.count("columns")};
        const Index tile = options.count("tile"), window = options.count("window");
        const auto tiles = [tile](Index cells) { return parts_of_size(cells, tile); };
        const Index down = tiles(parts_of_size(keys, grid.columns)),
                    across = tiles(std::min(grid.columns, keys));
        return [=](Index query, Index key) {
            return is_in_moved_window(grid.row(query) / tile, grid.row(key) / tile, window, down) &&
                   is_in_moved_window(grid.column(query) / tile, grid.column(key) / tile, window, across);
        };
    };
    return component;
}

}  // namespace headlight
