#pragma once

#include "core/tensor/storage.h"
#include "core/tensor/tensor.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace headlight {

class MapTiles;  // core/map

/// Where a source of maps has those of a stage: a layer of it, in tiles.
struct MapOrigin {
    std::shared_ptr<const MapTiles> tiles;  ///< null where there is no such source
    Index layer = 0;
};

/// The maps of a stage [head, query, key] that are read from where they are stored, or computed, when
/// somebody first looks at them, a head at a time. Any thread may look.
class LazyMaps {
public:
    /// Numbers of the largest map that is kept whole. A larger one is read where somebody looks: rows, or
    /// tiles.
    static constexpr Index most_kept = Index(2048) * 2048;

    /// Writes `count` rows from `first` on, [count, keys]. May throw Error and Interrupted.
    using Read = std::function<void(Index head, Index first, Index count, std::span<double> to)>;

    /// With `keeps_maps` false no map is kept whole, however small.
    LazyMaps(Index heads, Index queries, Index keys, Read read, MapOrigin origin = {},
             bool keeps_maps = true);

    const MapOrigin& origin() const { return origin_; }
    bool keeps_maps() const { return keeps_maps_; }

    /// [query, key], read by now and kept. NaN throughout where it could not be read: see problem(). Throws
    /// Error unless maps are kept.
    std::span<const double> head(Index head) const;
    /// [head, query, key], on all processors.
    std::span<const double> all() const;
    /// Rows of a head without keeping them. Throws what reading throws.
    void read_rows(Index head, Index first, Index count, std::span<double> to) const;
    /// Why a map could not be read; empty while all could.
    std::string problem() const;

private:
    void require_kept() const;

    /// Not std::call_once: not every library lets its function throw.
    struct State {
        std::atomic<bool> is_read = false;
        std::mutex mutex;  ///< held while it is being read
    };

    Index heads_, queries_, keys_;
    Read read_;
    MapOrigin origin_;
    bool keeps_maps_;
    /// Pages that nobody has written to take no memory.
    Storage<double> numbers_;
    std::unique_ptr<State[]> states_;  ///< [head]
    mutable std::mutex problem_mutex_;
    mutable std::string problem_;
};

}  // namespace headlight
