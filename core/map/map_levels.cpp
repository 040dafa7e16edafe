#include "core/map/map_levels.h"

#include "core/tensor/parallel.h"
#include "core/tensor/extents.h"
#include "core/tensor/interruption.h"
#include "core/tensor/memory.h"

#include <bit>

namespace headlight {
namespace {

/// Rows of a map that are folded at once.
constexpr Index rows_at_once = 64;

Index folded_extent(Index extent, Index level) { return ((extent - 1) >> level) + 1; }

/// 2^strip_level rows, or what is left of the map, as cells of a finer level.
FoldedCells folded_strip(const MapSource& maps, MapPlace place, Index strip, Index strip_level, Index level) {
    const MapSource::Extents& extents = maps.extents();
    const Index first = strip << strip_level;
    const Index count = std::min(Index(1) << strip_level, extents.queries - first);
    FoldedCells cells(folded_extent(count, level), folded_extent(extents.keys, level));
    maps.read_folded(place, first, count, Index(1) << level, cells.cells);
    return cells;
}

}  // namespace

void write_row(MapTile& tile, Index row, const FoldedCell* cells) {
    constexpr float missing = std::numeric_limits<float>::quiet_NaN();
    for (Index column = 0; column < tile.columns; ++column) {
        const FoldedCell& from = cells[column];
        const auto to = static_cast<std::size_t>(row * tile.columns + column);
        const bool has_numbers = from.numbers > 0;
        tile.maxima[to] = has_numbers ? static_cast<float>(from.maximum) : missing;
        tile.means[to] = has_numbers ? static_cast<float>(from.sum / from.numbers) : missing;
        tile.least[to] = static_cast<float>(from.least);
    }
}

void MapTile::drop_needless_least() {
    if (std::ranges::none_of(least, [](float number) { return number < 0; }))
        least = std::vector<float>();
}

MapLevels::MapLevels(const MapSource::Extents& extents) : map_{extents.queries, extents.keys} {
    const auto longest = static_cast<std::size_t>(std::max({map_.rows, map_.columns, Index(1)}));
    count_ = std::bit_width(longest - 1) + 1;
    constexpr double most_cells = 2048.0 * 2048;
    constexpr Index coarsest = std::countr_zero(static_cast<std::size_t>(MapSource::widest_fold));
    while (overview_ < coarsest && elements(cells(overview_).rows, cells(overview_).columns) > most_cells)
        ++overview_;
}

MapLevels::Size MapLevels::cells(Index level) const {
    return {folded_extent(map_.rows, level), folded_extent(map_.columns, level)};
}

MapLevels::Size MapLevels::tiles(Index level) const {
    const Size size = cells(level);
    return {parts_of_size(size.rows, MapTile::side), parts_of_size(size.columns, MapTile::side)};
}

MapBlock MapLevels::block(Index level, Index tile_row, Index tile_column) const {
    const Index side = MapTile::side << level, row = tile_row * side, column = tile_column * side;
    return {row, std::min(side, map_.rows - row), column, std::min(side, map_.columns - column)};
}

TiledLevel::TiledLevel(const MapLevels& levels, Index level) : columns_(levels.tiles(level).columns) {
    const MapLevels::Size cells = levels.cells(level);
    for (Index row = 0; row < cells.rows; row += MapTile::side)
        for (Index column = 0; column < cells.columns; column += MapTile::side)
            tiles_.push_back(std::make_shared<MapTile>(std::min(MapTile::side, cells.rows - row),
                                                       std::min(MapTile::side, cells.columns - column)));
}

void TiledLevel::write(Index row, const FoldedCell* cells) {
    const Index first = row / MapTile::side * columns_;
    for (Index column = 0; column < columns_; ++column)
        write_row(*tiles_[static_cast<std::size_t>(first + column)], row % MapTile::side,
                  cells + column * MapTile::side);
}

std::vector<TiledLevel> overview_of(const MapSource& maps, MapPlace place, const MapLevels& levels) {
    const Index finest = levels.overview(), last = levels.count() - 1;
    const MapLevels::Size finest_cells = levels.cells(finest);
    require_memory("overview of a map", "",
                   elements(2 * sizeof(MapTile::Cell), finest_cells.rows, finest_cells.columns));
    std::vector<TiledLevel> tiled;
    for (Index level = finest; level <= last; ++level)
        tiled.emplace_back(levels, level);
    const auto write = [&](Index level, Index first_row, const FoldedCells& cells) {
        for (Index row = 0; row < cells.rows; ++row)
            tiled[static_cast<std::size_t>(level - finest)].write(first_row + row, cells.row(row));
    };

    // A strip is a row of cells of this level: threads fold strips, and what is coarser is folded from them.
    constexpr Index level_of_batch = std::countr_zero(static_cast<std::size_t>(rows_at_once));
    const Index strip_level = std::min(std::max(finest, level_of_batch), last);
    FoldedCells strips(levels.cells(strip_level).rows, levels.cells(strip_level).columns);
    parallel_for(strips.rows, omp_get_max_threads(), [&](Index strip, int) {
        FoldedCells cells = folded_strip(maps, place, strip, strip_level, finest);
        for (Index level = finest;; ++level, cells = cells.halved()) {
            write(level, strip << (strip_level - level), cells);
            if (level == strip_level)
                break;
        }
        std::ranges::copy(cells.cells, strips.row(strip));
    });
    for (Index level = strip_level + 1; level <= last; ++level) {
        Interruption::check();
        strips = strips.halved();
        write(level, 0, strips);
    }
    for (const TiledLevel& level : tiled)
        for (const auto& tile : level.tiles())
            tile->drop_needless_least();
    return tiled;
}

std::vector<std::shared_ptr<MapTile>> row_of_tiles(const MapSource& maps, MapPlace place,
                                                   const MapLevels& levels, Index level, Index tile_row) {
    const MapBlock first = levels.block(level, tile_row, 0);
    std::vector<std::shared_ptr<MapTile>> tiles;
    for (Index column = 0; column < levels.tiles(level).columns; ++column) {
        const MapBlock block = levels.block(level, tile_row, column);
        tiles.push_back(
            std::make_shared<MapTile>(folded_extent(block.rows, level), folded_extent(block.columns, level)));
    }
    const Index at_once = std::max(rows_at_once, Index(1) << level);
    parallel_for(parts_of_size(first.rows, at_once), omp_get_max_threads(), [&](Index part, int) {
        const Index done = part * at_once, count = std::min(at_once, first.rows - done);
        FoldedCells cells(folded_extent(count, level), levels.cells(level).columns);
        maps.read_folded(place, first.first_row + done, count, Index(1) << level, cells.cells);
        for (Index row = 0; row < cells.rows; ++row)
            for (Index column = 0; column < std::ssize(tiles); ++column)
                write_row(*tiles[static_cast<std::size_t>(column)], (done >> level) + row,
                          cells.row(row) + column * MapTile::side);
    });
    for (const auto& tile : tiles)
        tile->drop_needless_least();
    return tiles;
}

MapTile folded_tile(const MapSource& maps, MapPlace place, const MapBlock& block, Index level) {
    MapTile tile(folded_extent(block.rows, level), folded_extent(block.columns, level));
    const Index at_once = std::min(std::max(rows_at_once, Index(1) << level), block.rows);
    const auto columns = static_cast<std::size_t>(block.columns);
    std::vector<double> numbers(static_cast<std::size_t>(at_once) * columns);
    for (Index done = 0; done < block.rows; done += at_once) {
        Interruption::check();
        const Index count = std::min(at_once, block.rows - done);
        maps.read_block(place, {block.first_row + done, count, block.first_column, block.columns}, numbers);
        FoldedCells cells(folded_extent(count, level), tile.columns);
        for (Index row = 0; row < count; ++row)
            fold_row(std::span(numbers).subspan(static_cast<std::size_t>(row) * columns, columns),
                     Index(1) << level, cells.row(row >> level));
        for (Index row = 0; row < cells.rows; ++row)
            write_row(tile, (done >> level) + row, cells.row(row));
    }
    tile.drop_needless_least();
    return tile;
}

}  // namespace headlight
