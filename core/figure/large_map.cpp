#include "core/figure/large_map.h"

#include "core/tensor/parallel.h"
#include "core/map/hidden_keys.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace headlight {
namespace {

constexpr float nothing = -std::numeric_limits<float>::infinity();

/// What is drawn of two cells where some are negative: the one that is further from 0.
float further(float a, float b) {
    if (a == nothing || b == nothing)
        return a == nothing ? b : a;
    return std::abs(b) > std::abs(a) ? b : a;
}

/// Cells of a level, from `first` to before `end`.
struct CellRange {
    Index first = 0, end = 0;
};

/// The cells of a level that stand for numbers from `first` to before `end` of an axis.
CellRange cells_of(Index first, Index end, Index level) { return {first >> level, ((end - 1) >> level) + 1}; }

/// Where a part of a map is drawn: on a grid no finer than its numbers, from the coarsest level whose cells
/// are no larger than those of the grid.
struct Grid {
    Index level, rows, columns;

    Grid(const LargeMap& map, Index part_rows, Index part_columns, SeenSize size)
        : rows(size.rows), columns(size.columns) {
        const Index numbers = std::min(part_rows / rows, part_columns / columns);
        level = std::min<Index>(std::ilogb(static_cast<double>(numbers)), map.tiles->levels().count() - 1);
    }
};

/// The tiles of a level that a part of a map lies on, each as (row, column) of its grid.
template <class Visit>
void for_each_tile(const LargeMap& map, Index rows, Index columns, Index level, const Visit& visit) {
    const CellRange down = cells_of(map.first_row, map.first_row + rows, level);
    const CellRange across = cells_of(map.first_column, map.first_column + columns, level);
    for (Index row = down.first / MapTile::side; row <= (down.end - 1) / MapTile::side; ++row)
        for (Index column = across.first / MapTile::side; column <= (across.end - 1) / MapTile::side;
             ++column)
            visit(row, column);
}

/// The cells of a level in a part of a map: of a tile that is not known, those of the next coarser one that
/// is, and NaN where there is none.
class LevelCells {
public:
    LevelCells(const LargeMap& map, Index rows, Index columns, Index level)
        : level_(level),
          first_tile_row_(cells_of(map.first_row, map.first_row + rows, level).first / MapTile::side),
          first_tile_column_(cells_of(map.first_column, map.first_column + columns, level).first /
                             MapTile::side) {
        for_each_tile(map, rows, columns, level, [&](Index row, Index column) {
            tile_columns_ = column - first_tile_column_ + 1;
            tiles_.push_back(map.waits ? Known{map.tiles->tile(map.place, level, row, column), 0}
                                       : known(map, row, column));
        });
        has_negative_ = std::ranges::any_of(
            tiles_, [](const Known& each) { return each.tile && !each.tile->least.empty(); });
    }

    /// Raises what `furthest` has for each of these columns to the cells of a row, which comes after the
    /// others of its line unless it `is_first`; [columns.end - columns.first].
    void raise(Index row, bool is_first, CellRange columns, float* furthest) const {
        const Index tile_row = row / MapTile::side - first_tile_row_;
        for (Index column = columns.first; column < columns.end;) {
            const Index tile_column = column / MapTile::side;
            const Index end = std::min(columns.end, (tile_column + 1) * MapTile::side);
            const Known& known =
                tiles_[static_cast<std::size_t>(tile_row * tile_columns_ + tile_column - first_tile_column_)];
            // A row of a coarser tile that has been looked at already brings nothing new.
            const bool is_new = is_first || row % std::min(Index(1) << known.coarser, MapTile::side) == 0;
            if (known.tile && is_new) {
                float* to = furthest + (column - columns.first);
                if (has_negative_)
                    raise_signed(known, row, {column, end}, to);
                else
                    raise(known, row, {column, end}, to);
            }
            column = end;
        }
    }

    /// Some tile has negative numbers: of two cells the one that is further from 0 is drawn.
    bool has_negative() const { return has_negative_; }

    /// By how many levels the finest tile is coarser that is known; 0 where none is.
    Index coarser() const {
        Index least = std::numeric_limits<Index>::max();
        for (const Known& each : tiles_)
            least = each.tile ? std::min(least, each.coarser) : least;
        return least == std::numeric_limits<Index>::max() ? 0 : least;
    }

    bool are_complete() const {
        return std::ranges::all_of(tiles_, [](const Known& each) { return each.tile && each.coarser == 0; });
    }

private:
    /// A tile of this level, or of one `coarser` than it.
    struct Known {
        std::shared_ptr<const MapTile> tile;
        Index coarser = 0;
    };

    Known known(const LargeMap& map, Index row, Index column) const {
        for (Index coarser = 0; level_ + coarser < map.tiles->levels().count(); ++coarser)
            if (auto tile =
                    map.tiles->kept_tile(map.place, level_ + coarser, row >> coarser, column >> coarser))
                return {std::move(tile), coarser};
        return {};
    }

    static Index first_of_row(const Known& known, Index row) {
        return (row >> known.coarser) % MapTile::side * known.tile->columns;
    }

    static void raise_signed(const Known& known, Index row, CellRange columns, float* furthest) {
        const float* cells = known.tile->maxima.data() + first_of_row(known, row);
        const float* least =
            known.tile->least.empty() ? cells : known.tile->least.data() + first_of_row(known, row);
        for (Index i = 0; i < columns.end - columns.first; ++i) {
            const Index at = ((columns.first + i) >> known.coarser) % MapTile::side;
            if (!std::isnan(cells[at]))
                furthest[i] = further(furthest[i], further(cells[at], least[at]));
        }
    }

    /// Where nothing is negative, the largest number is the one that is furthest from 0.
    static void raise(const Known& known, Index row, CellRange columns, float* furthest) {
        const float* cells = known.tile->maxima.data() + first_of_row(known, row);
        const Index count = columns.end - columns.first;
        if (known.coarser == 0) {
            cells += columns.first % MapTile::side;
            for (Index i = 0; i < count; ++i)
                furthest[i] = cells[i] > furthest[i] ? cells[i] : furthest[i];
            return;
        }
        for (Index i = 0; i < count; ++i) {
            const float value = cells[((columns.first + i) >> known.coarser) % MapTile::side];
            furthest[i] = value > furthest[i] ? value : furthest[i];
        }
    }

    Index level_, first_tile_row_, first_tile_column_, tile_columns_ = 1;
    bool has_negative_ = false;
    std::vector<Known> tiles_;  ///< [row, column]
};

/// Cells of a level side by side, made into as many as are drawn: of those that one stands for the furthest
/// from 0.
class Merge {
public:
    Merge(const LargeMap& map, const Grid& grid, Index columns, bool has_negative)
        : has_negative_(has_negative), first_number_(map.first_column), numbers_(columns), grid_(grid),
          all_(cells_under({0, grid.columns})), length_(static_cast<std::size_t>(all_.end - all_.first)) {
        int doublings = 0;
        for (Index column = 0; column < grid.columns; ++column) {
            const CellRange part = cells_under({column, column + 1});
            const auto width = static_cast<std::size_t>(part.end - part.first);
            const std::size_t run_length = std::bit_floor(width);  // two such runs cover the part
            const int run = std::countr_zero(run_length);
            const std::size_t first =
                static_cast<std::size_t>(run) * length_ + static_cast<std::size_t>(part.first - all_.first);
            first_.push_back(static_cast<std::uint32_t>(first));
            last_.push_back(static_cast<std::uint32_t>(first + width - run_length));
            doublings = std::max(doublings, run);
        }
        runs_.resize(static_cast<std::size_t>(doublings + 1) * length_);
    }

    /// The cells that some columns are made of.
    CellRange cells_under(KeyRange columns) const {
        return cells_of(first_number_ + columns.begin * numbers_ / grid_.columns,
                        first_number_ + columns.end * numbers_ / grid_.columns, grid_.level);
    }
    /// [cells.end - cells.first], to be raised.
    float* begin(CellRange cells) {
        float* line = runs_.data() + (cells.first - all_.first);
        std::fill_n(line, cells.end - cells.first, nothing);
        return line;
    }
    /// What is drawn of these columns, whose cells have been raised.
    void write(KeyRange columns, float* to) {
        const CellRange cells = cells_under(columns);
        // All cells first, then two looks for each column: that is done on several cells together.
        for (std::size_t run = 1; run < runs_.size() / length_; ++run)
            lengthen(run, static_cast<std::size_t>(cells.first - all_.first),
                     static_cast<std::size_t>(cells.end - all_.first));
        const auto begin = static_cast<std::size_t>(columns.begin),
                   end = static_cast<std::size_t>(columns.end);
        for (std::size_t column = begin; column < end; ++column) {
            const float one = runs_[first_[column]], other = runs_[last_[column]];
            to[column] = has_negative_ ? further(one, other) : other > one ? other : one;
        }
        for (std::size_t column = begin; column < end; ++column)
            to[column] = to[column] == nothing ? std::numeric_limits<float>::quiet_NaN() : to[column];
    }

private:
    /// Runs of twice as many cells as those before, from cell `first` to before `end`.
    void lengthen(std::size_t run, std::size_t first, std::size_t end) {
        const std::size_t half = std::size_t(1) << (run - 1);
        const float* shorter = runs_.data() + (run - 1) * length_;
        float* longer = runs_.data() + run * length_;
        if (has_negative_)
            for (std::size_t cell = first; cell + half < end; ++cell)
                longer[cell] = further(shorter[cell], shorter[cell + half]);
        else
            for (std::size_t cell = first; cell + half < end; ++cell)
                longer[cell] = shorter[cell + half] > shorter[cell] ? shorter[cell + half] : shorter[cell];
    }

    bool has_negative_;
    Index first_number_, numbers_;  ///< of a row of the part
    Grid grid_;
    CellRange all_;
    std::size_t length_;  ///< cells of a line
    /// [run, cell]: what is drawn of 2^run cells from that one on. Two of them, which may overlap, are as
    /// wide as a column.
    std::vector<float> runs_;
    std::vector<std::uint32_t> first_, last_;  ///< in runs_, of each column
};

}  // namespace

bool LargeMap::is_signed() const {
    if (tiles->maps()->is_signed(place.layer))
        return true;
    const auto whole = tiles->kept_tile(place, tiles->levels().count() - 1, 0, 0);
    return whole && !whole->least.empty();
}

std::optional<double> LargeMap::hidden_mass() const {
    const auto* maps = dynamic_cast<const KnowsHiddenMass*>(tiles->maps().get());
    return maps ? maps->hidden_mass(place) : std::nullopt;
}

SeenSize seen_size(Index rows, Index columns, Index most_rows, Index most_columns) {
    constexpr Index most = 2048;  // more are not told apart, and the tiles of no more are kept at once
    return {std::clamp<Index>(std::min(most_rows, most), 1, rows),
            std::clamp<Index>(std::min(most_columns, most), 1, columns)};
}

bool read_seen_map(const LargeMap& map, Index rows, Index columns, SeenSize size, const TakeSeenRow& take,
                   std::span<const KeyRange> asked) {
    Grid grid(map, rows, columns, size);
    LevelCells cells(map, rows, columns, grid.level);
    const bool are_complete = cells.are_complete();
    if (const Index coarser = cells.coarser(); coarser > 0) {
        // The same picture from a quarter of the cells for each level.
        grid.level += coarser;
        cells = LevelCells(map, rows, columns, grid.level);
    }
    constexpr Index rows_of_strip = 64;
    const Merge lines(map, grid, columns, cells.has_negative());
    parallel_for(parts_of_size(grid.rows, rows_of_strip), omp_get_max_threads(), [&](Index strip, int) {
        Merge merge = lines;
        std::vector<float> furthest(static_cast<std::size_t>(grid.columns),
                                    std::numeric_limits<float>::quiet_NaN());
        const Index end = std::min(grid.rows, (strip + 1) * rows_of_strip);
        for (Index row = strip * rows_of_strip; row < end; ++row) {
            const CellRange down = cells_of(map.first_row + row * rows / grid.rows,
                                            map.first_row + (row + 1) * rows / grid.rows, grid.level);
            const KeyRange wanted =
                asked.empty() ? KeyRange{0, grid.columns} : asked[static_cast<std::size_t>(row)];
            if (wanted.begin < wanted.end) {
                const CellRange across = merge.cells_under(wanted);
                float* line = merge.begin(across);
                for (Index each = down.first; each < down.end; ++each)
                    cells.raise(each, each == down.first, across, line);
                merge.write(wanted, furthest.data());
            }
            take(row, furthest);
        }
    });
    return are_complete;
}

SeenMap seen_map(const LargeMap& map, Index rows, Index columns, Index most_rows, Index most_columns) {
    const SeenSize size = seen_size(rows, columns, most_rows, most_columns);
    SeenMap seen{size.rows, size.columns,
                 std::vector<float>(static_cast<std::size_t>(size.rows * size.columns))};
    seen.is_complete =
        read_seen_map(map, rows, columns, size, [&](Index row, std::span<const float> furthest) {
            std::ranges::copy(furthest, seen.furthest.begin() + row * size.columns);
        });
    return seen;
}

std::vector<WantedTile> wanted_tiles(const LargeMap& map, Index rows, Index columns, Index most_rows,
                                     Index most_columns) {
    const Grid grid(map, rows, columns, seen_size(rows, columns, most_rows, most_columns));
    std::vector<WantedTile> wanted;
    // The overview first: all that is drawn until a finer tile is there.
    const Index overview = map.tiles->levels().overview();
    if (grid.level < overview && !map.tiles->kept_tile(map.place, overview, 0, 0))
        wanted.push_back({overview, 0, 0});
    for_each_tile(map, rows, columns, grid.level, [&](Index row, Index column) {
        if (!map.tiles->kept_tile(map.place, grid.level, row, column))
            wanted.push_back({grid.level, row, column});
    });
    return wanted;
}

}  // namespace headlight
