#pragma once

#include "core/map/head_rows.h"

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace headlight {

/// What the softmax of the rows of a head is counted from, as far as somebody has computed it. Threads may
/// use it at the same time.
class KnownRowSums {
public:
    explicit KnownRowSums(Index rows)
        : sums_(static_cast<std::size_t>(rows)), is_known_(static_cast<std::size_t>(rows)) {}

    /// False when one of the rows from `first` on is not known.
    bool find(Index first, std::span<RowSum> to) const;
    void keep(Index first, std::span<const RowSum> sums);
    std::size_t bytes() const { return sums_.size() * (sizeof(RowSum) + 1); }

private:
    mutable std::mutex mutex_;
    std::vector<RowSum> sums_;
    std::vector<std::uint8_t> is_known_;
};

}  // namespace headlight
