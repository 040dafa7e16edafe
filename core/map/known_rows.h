#pragma once

#include "core/tensor/tensor.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace headlight {

/// What of the rows of a map somebody has computed, as far as it is known. Threads may use it at the same
/// time.
template <class Row>
class KnownRows {
public:
    explicit KnownRows(Index rows)
        : rows_(static_cast<std::size_t>(rows)), is_known_(static_cast<std::size_t>(rows)) {}

    /// False when one of the rows from `first` on is not known.
    bool find(Index first, std::span<Row> to) const {
        const std::lock_guard lock(mutex_);
        if (std::ranges::count(is_known_.begin() + first, is_known_.begin() + first + std::ssize(to), 0) > 0)
            return false;
        std::copy_n(rows_.begin() + first, to.size(), to.begin());
        return true;
    }
    void keep(Index first, std::span<const Row> rows) {
        const std::lock_guard lock(mutex_);
        std::ranges::copy(rows, rows_.begin() + first);
        std::fill_n(is_known_.begin() + first, rows.size(), std::uint8_t(1));
    }
    std::size_t bytes() const { return rows_.size() * (sizeof(Row) + 1); }

private:
    mutable std::mutex mutex_;
    std::vector<Row> rows_;
    std::vector<std::uint8_t> is_known_;
};

}  // namespace headlight
