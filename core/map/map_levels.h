#pragma once

#include "core/map/map_source.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace headlight {

/// A square of cells of a level, cut off at the end of the map.
struct MapTile {
    static constexpr Index side = 256;  ///< cells

    /// Maximum and mean of all numbers of the map that the cell stands for and that are not NaN; NaN where
    /// there is none. Beyond the range of a float they are infinite.
    struct Cell {
        float maximum, mean;
    };

    Index rows = 0, columns = 0;
    std::vector<float> maxima, means;  ///< [row, column]
    /// FoldedCell::least, [row, column]; empty where no number of the tile is below 0. With it a cell is
    /// drawn by the number that is furthest from 0.
    std::vector<float> least;

    MapTile(Index row_count, Index column_count)
        : rows(row_count), columns(column_count), maxima(static_cast<std::size_t>(row_count * column_count)),
          means(maxima.size()), least(maxima.size()) {}
    /// Once every row is written: gives the memory of `least` back where no number is below 0.
    void drop_needless_least();
    Cell at(Index row, Index column) const {
        const auto i = static_cast<std::size_t>(row * columns + column);
        return {maxima[i], means[i]};
    }
    std::size_t bytes() const { return sizeof *this + sizeof(float) * (2 * maxima.size() + least.size()); }
};

/// A row of a tile from what is folded in its cells, [tile.columns].
void write_row(MapTile& tile, Index row, const FoldedCell* cells);

/// How a map is cut: a cell of level L stands for 2^L x 2^L numbers, and one of the last level for all.
class MapLevels {
public:
    explicit MapLevels(const MapSource::Extents& extents);

    /// At least 1.
    Index count() const { return count_; }
    /// The finest level of at most 2048 x 2048 cells: those from here on are made in one pass over the map.
    Index overview() const { return overview_; }

    struct Size {
        Index rows = 0, columns = 0;
    };
    Size cells(Index level) const;
    Size tiles(Index level) const;
    /// The numbers of the map that a tile stands for.
    MapBlock block(Index level, Index tile_row, Index tile_column) const;

private:
    Size map_;
    Index count_ = 1, overview_ = 0;
};

/// A level of one map, its tiles made and their cells not yet written. Threads may write different rows.
class TiledLevel {
public:
    TiledLevel(const MapLevels& levels, Index level);

    /// A row of the level, across its tiles: [columns of the level].
    void write(Index row, const FoldedCell* cells);
    const std::vector<std::shared_ptr<MapTile>>& tiles() const { return tiles_; }  ///< [row, column]
    Index columns() const { return columns_; }

private:
    Index columns_;
    std::vector<std::shared_ptr<MapTile>> tiles_;
};

/// All levels from levels.overview() on, in one pass over the rows of a map, on all processors. What it holds
/// at once is these levels and, for each thread, some folded rows. Can be interrupted.
std::vector<TiledLevel> overview_of(const MapSource& maps, MapPlace place, const MapLevels& levels);

/// A row of tiles of a finer level, in one pass over rows of a map, on all processors. Can be interrupted.
std::vector<std::shared_ptr<MapTile>> row_of_tiles(const MapSource& maps, MapPlace place,
                                                   const MapLevels& levels, Index level, Index tile_row);

/// A tile of a finer level, from the numbers that it stands for. Can be interrupted.
MapTile folded_tile(const MapSource& maps, MapPlace place, const MapBlock& block, Index level);

}  // namespace headlight
