#pragma once

#include "core/attention/algorithms/image_grid.h"

#include <algorithm>

namespace headlight {

/// Square windows of a grid, counted row by row as their places are; those at the right and at the bottom may
/// lack places.
struct GridWindows {
    ImageGrid grid;
    Index side;

    Index across() const { return parts_of_size(grid.columns(), side); }
    /// Those that have a place: where the last row of the grid is short, it leaves windows at the end empty.
    Index count() const {
        Index last = 0;
        for (Index place = std::max<Index>(0, grid.places() - grid.columns()); place < grid.places(); ++place)
            last = std::max(last, of(place));
        return last + 1;
    }
    Index of(Index place) const { return grid.row(place) / side * across() + grid.column(place) / side; }
    /// Where in its window a place lies, row by row.
    Index tap(Index place) const { return grid.row(place) % side * side + grid.column(place) % side; }
    Index row(Index window, Index tap) const { return window / across() * side + tap / side; }
    Index column(Index window, Index tap) const { return window % across() * side + tap % side; }
    bool has(Index window, Index tap) const { return grid.has(row(window, tap), column(window, tap)); }
    Index place(Index window, Index tap) const { return grid.place(row(window, tap), column(window, tap)); }
    Index places_in(Index window) const {
        Index count = 0;
        for (Index tap = 0; tap < side * side; ++tap)
            count += has(window, tap) ? 1 : 0;
        return count;
    }
    /// The window of each place.
    std::vector<Index> of_places() const {
        std::vector<Index> windows;
        for (Index place = 0; place < grid.places(); ++place)
            windows.push_back(of(place));
        return windows;
    }
};

/// The windows of an algorithm with the options `columns` and `size`.
inline GridWindows grid_windows(const Plan& plan) {
    return {ImageGrid(plan), plan.algorithm().count("size")};
}
inline Option window_size_option() {
    return count_option("size", "Window", 2, {1, 4096},
                        "Side of a window in cells: a query sees size² tokens, fewer where the grid ends.");
}

/// Assigns, as the tensor `name` [windows, side² d], the tokens of each window side by side, row by row; 0 in
/// the place of one that it lacks.
inline Expression write_tokens_side_by_side(Composer& composer, const std::string& name,
                                            const GridWindows& windows) {
    const Index channels = composer.key_tokens.extent().columns,
                width = windows.side * windows.side * channels;
    const auto is_there = [=](Index window, Index column) { return windows.has(window, column / channels); };
    const auto place = [=](Index window, Index column) {
        return is_there(window, column) ? windows.place(window, column / channels) : 0;
    };
    return composer.let(name,
                        choose(composer.truth_of_places(
                                   "is_in_image", {0, windows.count(), width}, "1 where a window has a place",
                                   [=](Place at) { return is_there(at.row, at.column); }),
                               pick(composer.key_tokens, places_of(windows.count(), width, place),
                                    {1, width, {width, [=](Index column) { return column % channels; }}}),
                               0),
                        "the tokens of each window side by side");
}

/// Pairs [n, n] of places of one window.
inline Expression pairs_in_window(Composer& composer, const GridWindows& windows) {
    const Index places = windows.grid.places();
    return composer.truth_of_places(
        "is_in_window", {0, places, places}, "places of one window",
        [windows](Place at) { return windows.of(at.row) == windows.of(at.column); });
}

}  // namespace headlight
