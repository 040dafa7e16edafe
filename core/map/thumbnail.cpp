#include "core/map/thumbnail.h"

#include "core/tensor/parallel.h"

#include <algorithm>
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

}  // namespace

Thumbnail thumbnail_of(const MapSource& maps, MapPlace place, Index most_cells) {
    const MapSource::Extents& extents = maps.extents();
    const Index width = fold_of(extents, most_cells);
    Thumbnail small;
    small.rows = parts_of_size(extents.queries, width);
    small.columns = parts_of_size(extents.keys, width);
    std::vector<FoldedCell> cells(static_cast<std::size_t>(small.rows * small.columns));
    maps.read_folded(place, 0, extents.queries, width, cells);
    small.largest.reserve(cells.size());
    for (const FoldedCell& cell : cells)
        small.largest.push_back(cell.numbers > 0 ? static_cast<float>(cell.furthest())
                                                 : std::numeric_limits<float>::quiet_NaN());
    for (const float number : small.largest)
        small.range.include(static_cast<double>(number));
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
