#pragma once

#include "core/map/map_levels.h"
#include "core/map/recently_used.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <string>

namespace headlight {

/// The maps of a source in levels of tiles, for whoever draws a map of any size: the tile that is in sight,
/// at the level whose cells are as large as the screen's. A tile is made when it is asked for and kept while
/// there is room. Tiles of levels().overview() and coarser are made together, in one pass over the map; finer
/// ones each by itself, at no more than the numbers that it stands for, unless the source has rows alone.
/// Threads may ask at the same time.
class MapTiles {
public:
    /// Tiles of 32,768 x 32,768 numbers from the overview on take 45 MB, those of a picture of 2048 x 2048
    /// cells up to 150 MB.
    static constexpr std::size_t usual_bytes = std::size_t(208) << 20;

    explicit MapTiles(std::shared_ptr<const MapSource> maps, std::size_t most_bytes = usual_bytes)
        : maps_(std::move(maps)), levels_(maps_->extents()), kept_(most_bytes) {}

    const std::shared_ptr<const MapSource>& maps() const { return maps_; }
    const MapLevels& levels() const { return levels_; }

    /// A tile of levels().tiles(level). Throws what the source does; can be interrupted, also while it waits
    /// for another thread that makes the overview of the same map.
    std::shared_ptr<const MapTile> tile(MapPlace place, Index level, Index row, Index column) const;
    /// The tile if it is kept, else null; it does not wait: what a view asks before it draws a coarser one.
    std::shared_ptr<const MapTile> kept_tile(MapPlace place, Index level, Index row, Index column) const;
    /// Tiles of what `make` makes of these maps, under a name; where it is made of other maps, too, these are
    /// `beside`, which it holds. Those of the last name are kept, so that every picture through one lens, or
    /// of one difference, has the same tiles.
    std::shared_ptr<const MapTiles> seen_as(const std::string& name,
                                            const std::function<std::shared_ptr<const MapSource>()>& make,
                                            const MapSource* beside = nullptr) const;
    /// Returns the bytes of the tiles that are kept: at most what was said, or a single tile.
    std::size_t bytes() const { return kept_.bytes(); }

private:
    struct Key {
        MapPlace place;
        Index level, row, column;
        // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy takes the 0 that follows <=> for a pointer
        auto operator<=>(const Key&) const = default;
    };
    class Turn;

    std::shared_ptr<const MapTile> keep(const Key& key, std::shared_ptr<const MapTile> tile) const;
    std::shared_ptr<const MapTile> tile_of_overview(const Key& key) const;
    /// With all others of its row.
    std::shared_ptr<const MapTile> tile_of_row(const Key& key) const;

    std::shared_ptr<const MapSource> maps_;
    MapLevels levels_;
    mutable RecentlyUsed<Key, const MapTile> kept_;
    mutable std::mutex mutex_;
    mutable std::condition_variable is_done_;
    mutable std::set<MapPlace> under_way_;  ///< maps whose overview is being made
    mutable std::string seen_name_;
    mutable const MapSource* seen_beside_ = nullptr;  ///< told apart by their address, which `seen_` keeps
    mutable std::shared_ptr<const MapTiles> seen_;
};

}  // namespace headlight
