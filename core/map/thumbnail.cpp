#include "core/map/thumbnail.h"

#include "core/attention/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

/// The least power of two by which neither side is longer than it may be, where folding goes that far.
Index fold_of(const MapSource::Extents& extents, Index most_cells) {
    Index width = 1;
    while (width < MapSource::widest_fold && std::max(extents.queries, extents.keys) > width * most_cells)
        width *= 2;
    return width;
}

/// As FoldedCell::furthest(): NaN is no number, and -infinity a pair that is forbidden.
float further(float one, float other) {
    const auto distance = [](float number) {
        return std::isnan(number)                                  ? -2
               : number == -std::numeric_limits<float>::infinity() ? -1
                                                                   : std::abs(number);
    };
    return distance(one) >= distance(other) ? one : other;
}

Thumbnail::Cells halved(const Thumbnail::Cells& cells) {
    Thumbnail::Cells half{(cells.rows + 1) / 2, (cells.columns + 1) / 2, {}};
    half.largest.assign(static_cast<std::size_t>(half.rows * half.columns),
                        std::numeric_limits<float>::quiet_NaN());
    const float* from = cells.largest.data();
    for (Index row = 0; row < cells.rows; ++row)
        for (Index column = 0; column < cells.columns; ++column, ++from) {
            float& to = half.largest[static_cast<std::size_t>(row / 2 * half.columns + column / 2)];
            to = further(*from, to);
        }
    return half;
}

}  // namespace

const Thumbnail::Cells& Thumbnail::at_least(Index rows, Index columns) const {
    const Cells* fewest = &cells;
    for (const Cells& each : halved)
        if (each.rows >= rows && each.columns >= columns)
            fewest = &each;
    return *fewest;
}

Thumbnail thumbnail_of(const MapSource& maps, MapPlace place, Index most_cells) {
    const MapSource::Extents& extents = maps.extents();
    const Index width = fold_of(extents, most_cells);
    Thumbnail small;
    small.cells.rows = (extents.queries + width - 1) / width;
    small.cells.columns = (extents.keys + width - 1) / width;
    std::vector<FoldedCell> cells(static_cast<std::size_t>(small.cells.rows * small.cells.columns));
    maps.read_folded(place, 0, extents.queries, width, cells);
    small.cells.largest.reserve(cells.size());
    for (const FoldedCell& cell : cells)
        small.cells.largest.push_back(cell.numbers > 0 ? static_cast<float>(cell.furthest())
                                                       : std::numeric_limits<float>::quiet_NaN());
    for (const float number : small.cells.largest)
        small.range.include(static_cast<double>(number));
    for (const Thumbnail::Cells* last = &small.cells; last->rows > 1 && last->columns > 1;
         last = &small.halved.back())
        small.halved.push_back(halved(*last));
    return small;
}

std::vector<Thumbnail> thumbnails_of(const MapSource& maps, Index most_cells) {
    const Index heads = maps.extents().heads, count = maps.extents().layers * heads;
    std::vector<Thumbnail> all(static_cast<std::size_t>(count));
    parallel_for(count, omp_get_max_threads(), [&](Index i, int) {
        all[static_cast<std::size_t>(i)] = thumbnail_of(maps, {i / heads, i % heads}, most_cells);
    });
    return all;
}

}  // namespace headlight
