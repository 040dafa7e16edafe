#pragma once

#include "core/tensor/tensor.h"

#include <string>
#include <vector>

namespace headlight {

/// Distances |i - j| between queries and keys, put together: one by one below `alone`, then in halves of
/// powers of two (16 to 23, 24 to 31, 32 to 47, ...), so that a long text has a few dozen of them.
class DistanceBins {
public:
    static constexpr Index alone = 16;

    /// `first_place`: of the queries among the keys (first_query_place()).
    DistanceBins(Index queries, Index keys, Index first_place = 0);

    Index count() const { return std::ssize(first_); }
    Index bin_of(Index distance) const { return bin_of_[static_cast<std::size_t>(distance)]; }
    /// The least and the greatest distance in it.
    Index first(Index bin) const { return first_[static_cast<std::size_t>(bin)]; }
    Index last(Index bin) const { return (bin + 1 < count() ? first(bin + 1) : std::ssize(bin_of_)) - 1; }
    /// "7", "24–31"
    std::string label(Index bin) const;

private:
    std::vector<Index> first_;   ///< [bin], its least distance
    std::vector<Index> bin_of_;  ///< [distance]
};

}  // namespace headlight
