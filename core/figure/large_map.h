#pragma once

#include "core/map/map_tiles.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headlight {

/// A map of so many tokens that a panel has none of its numbers: who draws it asks for the tiles in sight.
struct LargeMap {
    std::shared_ptr<const MapTiles> tiles;
    MapPlace place;
    /// The part that the panel shows; it has as many rows and columns as the panel.
    Index first_row = 0, first_column = 0;
    /// For tiles that nobody has made yet, as files do: see complete_large_maps(). Else what is known of them
    /// from coarser ones is drawn, so that drawing takes no longer than a frame.
    bool waits = false;
    bool has_own_range = false;  ///< its numbers are no shares: see range_of()
    bool has_own_scale = false;  ///< which is fitted to its numbers alone
    /// Below it a number of a difference is rounding, and no difference.
    std::optional<double> rounding{};

    /// Some of its numbers are negative, or may be, as far as anybody knows by now.
    bool is_signed() const;
    /// What hidden keys had of it, see MapWithoutKeys; nothing where none is hidden, and until every row has
    /// been read.
    std::optional<double> hidden_mass() const;
};

/// A tile of a large map, in the order in which a picture is made: the coarse ones first.
struct WantedTile {
    Index level = 0, row = 0, column = 0;
    bool operator==(const WantedTile&) const = default;
};

/// What of a part of a map is drawn, in at most `most_rows` x `most_columns` cells, and 2048 x 2048, none of
/// which stands for less than a number: the number of each cell that is furthest from 0, so that one bright
/// number of either sign never vanishes; NaN where there is none, or where nothing is known yet. [row,
/// column]
struct SeenMap {
    Index rows = 0, columns = 0;
    std::vector<float> furthest;
    bool is_complete = true;  ///< nothing of it is drawn from coarser tiles
};
/// Waits for tiles where map.waits; throws what its source does then, and can be interrupted.
SeenMap seen_map(const LargeMap& map, Index rows, Index columns, Index most_rows, Index most_columns);

/// Rows and columns in which seen_map() has a part of a map.
struct SeenSize {
    Index rows = 0, columns = 0;
};
SeenSize seen_size(Index rows, Index columns, Index most_rows, Index most_columns);

/// Takes a row of seen_map(), on several threads at once.
using TakeSeenRow = std::function<void(Index row, std::span<const float> furthest)>;
/// seen_map() for who has no need of all rows at once: memory for all of them, new with every frame, takes
/// longer to get than to fill. `size` as seen_size() gives it. Where not all columns of each row are `asked`
/// for, the others have numbers of rows before, or none. False where some is drawn from coarser tiles.
bool read_seen_map(const LargeMap& map, Index rows, Index columns, SeenSize size, const TakeSeenRow& take,
                   std::span<const KeyRange> asked = {});

/// The tiles that such a picture is made of and that are not kept.
std::vector<WantedTile> wanted_tiles(const LargeMap& map, Index rows, Index columns, Index most_rows,
                                     Index most_columns);

}  // namespace headlight
