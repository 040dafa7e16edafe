#include "core/map/map_tiles.h"

#include "core/tensor/interruption.h"

#include <chrono>

namespace headlight {

/// While it lasts no other thread makes the overview of a map: it waits for this one, which may leave it done
/// or undone.
class MapTiles::Turn {
public:
    Turn(const MapTiles& tiles, MapPlace place) : tiles_(tiles), place_(place) {
        constexpr std::chrono::milliseconds between_questions(5);
        std::unique_lock lock(tiles.mutex_);
        while (!tiles.under_way_.insert(place).second) {
            Interruption::check();
            tiles.is_done_.wait_for(lock, between_questions);
        }
    }
    ~Turn() {
        const std::lock_guard lock(tiles_.mutex_);
        tiles_.under_way_.erase(place_);
        tiles_.is_done_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    const MapTiles& tiles_;
    MapPlace place_;
};

std::shared_ptr<const MapTile> MapTiles::kept_tile(MapPlace place, Index level, Index row,
                                                   Index column) const {
    return kept_.find({place, level, row, column});
}

std::shared_ptr<const MapTile> MapTiles::tile(MapPlace place, Index level, Index row, Index column) const {
    const Key key{place, level, row, column};
    if (auto known = kept_.find(key))
        return known;
    if (level >= levels_.overview())
        return tile_of_overview(key);
    const MapBlock block = levels_.block(level, row, column);
    if (maps_->has_rows_alone() && !maps_->is_zero(place, block))
        return tile_of_row(key);
    return keep(key, std::make_shared<MapTile>(folded_tile(*maps_, place, block, level)));
}

std::shared_ptr<const MapTile> MapTiles::tile_of_row(const Key& key) const {
    const auto tiles = row_of_tiles(*maps_, key.place, levels_, key.level, key.row);
    std::shared_ptr<const MapTile> wanted;
    for (Index column = 0; column < std::ssize(tiles); ++column) {
        const Key each{key.place, key.level, key.row, column};
        const auto kept = keep(each, tiles[static_cast<std::size_t>(column)]);
        if (each == key)
            wanted = kept;
    }
    return wanted;
}

std::shared_ptr<const MapTile> MapTiles::tile_of_overview(const Key& key) const {
    const Turn turn(*this, key.place);
    if (auto known = kept_.find(key))
        return known;
    std::shared_ptr<const MapTile> wanted;
    const auto overview = overview_of(*maps_, key.place, levels_);
    for (Index level = levels_.overview(); level < levels_.count(); ++level) {
        const TiledLevel& tiled = overview[static_cast<std::size_t>(level - levels_.overview())];
        for (Index number = 0; number < std::ssize(tiled.tiles()); ++number) {
            const Key each{key.place, level, number / tiled.columns(), number % tiled.columns()};
            const auto kept = keep(each, tiled.tiles()[static_cast<std::size_t>(number)]);
            if (each == key)
                wanted = kept;
        }
    }
    return wanted;
}

std::shared_ptr<const MapTiles>
MapTiles::seen_as(const std::string& name, const std::function<std::shared_ptr<const MapSource>()>& make,
                  const MapSource* beside) const {
    const std::lock_guard lock(mutex_);
    if (!seen_ || seen_name_ != name || seen_beside_ != beside) {
        seen_ = std::make_shared<const MapTiles>(make());
        seen_name_ = name;
        seen_beside_ = beside;
    }
    return seen_;
}

std::shared_ptr<const MapTile> MapTiles::keep(const Key& key, std::shared_ptr<const MapTile> tile) const {
    const std::size_t bytes = tile->bytes();
    return kept_.keep(key, std::move(tile), bytes);
}

}  // namespace headlight
