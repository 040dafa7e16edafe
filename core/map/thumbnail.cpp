#include "core/map/thumbnail.h"

#include "core/tensor/interruption.h"
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

/// Thumbnail::forbidden, of cells of `width` x `width` pairs.
std::vector<std::uint8_t> forbidden_cells(const MapSource& maps, MapPlace place, Index width) {
    const auto& [layers, heads, queries, keys] = maps.extents();
    const Index rows = parts_of_size(queries, width), columns = parts_of_size(keys, width);
    std::vector<std::uint8_t> cells(static_cast<std::size_t>(rows * columns), 1);
    const std::vector<std::uint8_t> pairs = maps.forbidden_pairs(place);
    for (Index query = 0; query < queries && !pairs.empty(); ++query) {
        Interruption::check();
        const auto of_query = pairs.begin() + query * keys;
        const auto row = cells.begin() + query / width * columns;
        for (Index column = 0; column < columns; ++column) {
            const auto end = of_query + std::min((column + 1) * width, keys);
            if (std::find(of_query + column * width, end, 0) != end)
                row[column] = 0;
        }
    }
    for (Index row = 0; row < rows && pairs.empty(); ++row) {
        // Neither end falls from one query to the next: no query between the first and the last has more.
        const Index first = maps.allowed_keys(place, row * width).begin,
                    end = maps.allowed_keys(place, std::min((row + 1) * width, queries) - 1).end;
        if (first < end)
            std::fill(cells.begin() + row * columns + first / width,
                      cells.begin() + row * columns + (end - 1) / width + 1, 0);
    }
    if (std::ranges::find(cells, 1) == cells.end())
        cells.clear();
    return cells;
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
    small.forbidden = forbidden_cells(maps, place, width);
    small.range =
        range_of_numbers(std::vector<double>(small.largest.begin(), small.largest.end()), small.forbidden);
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
