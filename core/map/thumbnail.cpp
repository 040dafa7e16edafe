#include "core/map/thumbnail.h"

#include "core/attention/interruption.h"
#include "core/attention/parallel.h"

#include <algorithm>
#include <limits>

namespace headlight {
namespace {

constexpr Index rows_at_once = 32;

/// How many cells of an axis become one.
Index block_of(Index extent, Index most_cells) {
    return std::max<Index>(1, (extent + most_cells - 1) / most_cells);
}

Index blocks(Index extent, Index block) { return (extent + block - 1) / block; }

/// Of two numbers the larger one; NaN is none.
double larger(double a, double b) { return b > a || a != a ? b : a; }

}  // namespace

Thumbnail thumbnail_of(const MapSource& maps, MapPlace place, Index most_cells) {
    const auto& [layers, heads, queries, keys] = maps.extents();
    const Index high = block_of(queries, most_cells), wide = block_of(keys, most_cells);
    Thumbnail small{blocks(queries, high), blocks(keys, wide), {}};
    small.largest.assign(static_cast<std::size_t>(small.rows * small.columns),
                         std::numeric_limits<float>::quiet_NaN());
    std::vector<double> rows(static_cast<std::size_t>(std::min(rows_at_once, queries) * keys));
    // First down the columns, which the processor does many at a time, then across.
    std::vector<double> column(static_cast<std::size_t>(keys), std::numeric_limits<double>::quiet_NaN());
    for (Index first = 0; first < queries; first += rows_at_once) {
        Interruption::check();
        const Index count = std::min(rows_at_once, queries - first);
        maps.read_rows(place, first, count, std::span(rows).first(static_cast<std::size_t>(count * keys)));
        for (Index row = first; row < first + count; ++row) {
            const double* numbers = rows.data() + (row - first) * keys;
            for (Index key = 0; key < keys; ++key)
                column[static_cast<std::size_t>(key)] =
                    larger(column[static_cast<std::size_t>(key)], numbers[key]);
            if ((row + 1) % high != 0 && row + 1 != queries)
                continue;
            float* to = small.largest.data() + row / high * small.columns;
            for (Index cell = 0; cell < small.columns; ++cell) {
                double largest = std::numeric_limits<double>::quiet_NaN();
                for (Index key = cell * wide; key < std::min(keys, (cell + 1) * wide); ++key)
                    largest = larger(largest, column[static_cast<std::size_t>(key)]);
                to[cell] = static_cast<float>(largest);
            }
            std::ranges::fill(column, std::numeric_limits<double>::quiet_NaN());
        }
    }
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
