#pragma once

#include "core/attention/zeroed.h"
#include "core/tensor/tensor.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace headlight {

/// The maps of a stage [head, query, key] that are read from where they are stored, or computed, when
/// somebody first looks at them, a head at a time. Any thread may look.
class LateMaps {
public:
    /// Writes `count` rows from `first` on, [count, keys]. May throw Error and Interrupted.
    using Read = std::function<void(Index head, Index first, Index count, std::span<double> to)>;

    LateMaps(Index heads, Index queries, Index keys, Read read);

    /// [query, key], read by now and kept. NaN throughout where it could not be read: see problem().
    std::span<const double> head(Index head) const;
    /// [head, query, key], on all processors.
    std::span<const double> all() const;
    /// Rows of a head without keeping them. Throws what reading throws.
    void read_rows(Index head, Index first, Index count, std::span<double> to) const;
    /// Why a map could not be read; empty while all could.
    std::string problem() const;

private:
    /// Not std::call_once: not every library lets its function throw.
    struct State {
        std::atomic<bool> is_read = false;
        std::mutex mutex;  ///< held while it is being read
    };

    Index heads_, queries_, keys_;
    Read read_;
    /// Pages that nobody has written to take no memory.
    mutable Zeroed<double> numbers_;
    std::unique_ptr<State[]> states_;  ///< [head]
    mutable std::mutex problem_mutex_;
    mutable std::string problem_;
};

}  // namespace headlight
