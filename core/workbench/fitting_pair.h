#pragma once

#include "core/attention/trace.h"
#include "core/figure/view_settings.h"

#include <optional>

namespace headlight {

/// The query and the key that a person has chosen at a place; nothing of what was left open.
struct ChosenPair {
    std::optional<Index> query, key;
};

/// `there`, a selection at another site than `here`, with a pair that means something at that site. What
/// `chosen` says stays. Else an index stays where both sites count the same tokens along it (two sides of a
/// decoder count its steps), and moves to the same word where the other site has it; a query may be the word
/// that was looked at. A key without a counterpart, or one that the query may not look at, becomes the key
/// with the largest weight of those that it may. As it is where both are at one site, or the maps come from a
/// file tile by tile.
Selection with_fitting_pair(const Trace& trace, const Selection& here, Selection there,
                            const ChosenPair& chosen = {});

}  // namespace headlight
