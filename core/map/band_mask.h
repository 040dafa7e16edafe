#pragma once

#include "core/map/map_source.h"

#include <optional>

namespace headlight {

/// Which keys a query may look at, as a rule instead of a byte for each pair: all; those up to its own place;
/// or the last `window` of these, 0 <= i - j < w.
class BandMask {
public:
    BandMask(Index keys, bool is_causal, std::optional<Index> window)
        : keys_(keys), is_causal_(is_causal || window), window_(window) {}

    using Keys = KeyRange;
    Keys keys_of(Index query) const;

    /// How many pairs of a block the mask allows.
    enum class Coverage { none, some, all };
    Coverage coverage(const MapBlock& block) const;

private:
    Index keys_;
    bool is_causal_;
    std::optional<Index> window_;
};

}  // namespace headlight
