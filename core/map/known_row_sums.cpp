#include "core/map/known_row_sums.h"

#include <algorithm>

namespace headlight {

bool KnownRowSums::find(Index first, std::span<RowSum> to) const {
    const std::lock_guard lock(mutex_);
    if (std::ranges::count(is_known_.begin() + first, is_known_.begin() + first + std::ssize(to), 0) > 0)
        return false;
    std::copy_n(sums_.begin() + first, to.size(), to.begin());
    return true;
}

void KnownRowSums::keep(Index first, std::span<const RowSum> sums) {
    const std::lock_guard lock(mutex_);
    std::ranges::copy(sums, sums_.begin() + first);
    std::fill_n(is_known_.begin() + first, sums.size(), std::uint8_t(1));
}

}  // namespace headlight
