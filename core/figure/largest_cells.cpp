#include "core/figure/largest_cells.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>

namespace headlight {
namespace {

/// To seven digits: numbers that processors tell apart in their last ones are equal.
double rounded(double value) {
    constexpr double most = std::numeric_limits<float>::max();
    return std::abs(value) < most ? static_cast<double>(static_cast<float>(value)) : value;
}

/// A cell of a level, whose number is the largest of those that it stands for.
struct Candidate {
    double value;
    Index level, row, column;

    /// The largest comes first; among equal ones those that are found, then those from the top left.
    bool operator<(const Candidate& other) const {
        return std::tie(value, other.level, other.row, other.column) <
               std::tie(other.value, level, row, column);
    }
};

/// From the cell that stands for the whole map down to its numbers, always where the largest one is.
std::vector<LargestCell> largest_of_large(const Panel& panel, std::size_t count) {
    const LargeMap& map = *panel.large;
    const Index end_row = map.first_row + panel.rows, end_column = map.first_column + panel.columns;
    std::priority_queue<Candidate> candidates;
    const auto add = [&](Index level, Index row, Index column) {
        if ((row << level) >= end_row || ((row + 1) << level) <= map.first_row ||
            (column << level) >= end_column || ((column + 1) << level) <= map.first_column)
            return;
        constexpr Index side = MapTile::side;
        const auto tile = map.tiles->tile(map.place, level, row / side, column / side);
        if (const double value = tile->at(row % side, column % side).maximum; !std::isnan(value))
            candidates.push({value, level, row, column});
    };
    std::vector<LargestCell> cells;
    for (add(map.tiles->levels().count() - 1, 0, 0); !candidates.empty() && cells.size() < count;) {
        const Candidate next = candidates.top();
        candidates.pop();
        if (next.level == 0) {
            if (std::isfinite(next.value))
                cells.push_back({next.row - map.first_row, next.column - map.first_column, next.value});
            continue;
        }
        for (Index row = 2 * next.row; row < 2 * next.row + 2; ++row)
            for (Index column = 2 * next.column; column < 2 * next.column + 2; ++column)
                add(next.level - 1, row, column);
    }
    return cells;
}

}  // namespace

std::vector<LargestCell> largest_cells(const Panel& panel, std::size_t count) {
    if (panel.large)
        return largest_of_large(panel, count);
    std::vector<LargestCell> cells;
    for (Index row = 0; row < panel.rows; ++row) {
        for (Index column = 0; column < panel.columns; ++column) {
            const double exact = panel.values[static_cast<std::size_t>(row * panel.columns + column)];
            // Nearly every one of many numbers ends here: rounding changes none by as much.
            if (cells.size() == count && exact + 1e-6 * std::abs(exact) <= cells.back().value)
                continue;
            const double value = rounded(exact);
            if (!std::isfinite(value) || (cells.size() == count && value <= cells.back().value))
                continue;
            const auto place = std::ranges::upper_bound(cells, value, std::greater<>(), &LargestCell::value);
            cells.insert(place, {row, column, value});
            if (cells.size() > count)
                cells.pop_back();
        }
    }
    return cells;
}

}  // namespace headlight
