#include "core/map/band_mask.h"

#include <algorithm>

namespace headlight {

BandMask::Keys BandMask::keys_of(Index query) const {
    return {window_ ? std::clamp<Index>(query + 1 - *window_, 0, keys_) : 0,
            is_causal_ ? std::min(query + 1, keys_) : keys_};
}

BandMask::Coverage BandMask::coverage(const MapBlock& block) const {
    // Both ends only grow from one query to the next, and neighbours leave no key between them out: the first
    // and the last query say all.
    const Keys first = keys_of(block.first_row), last = keys_of(block.first_row + block.rows - 1);
    const Index begin = block.first_column, end = begin + block.columns;
    if (last.end <= begin || first.begin >= end)
        return Coverage::none;
    return last.begin <= begin && first.end >= end ? Coverage::all : Coverage::some;
}

}  // namespace headlight
