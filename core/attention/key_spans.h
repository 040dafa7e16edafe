#pragma once

#include "core/attention/allowed_pairs.h"

#include <optional>
#include <vector>

namespace headlight {

/// Keys that lie next to one another, from `begin` to just before `end`.
struct KeySpan {
    Index begin = 0, end = 0;
    bool operator==(const KeySpan&) const = default;
};

/// The spans of which each query sees the first keys, in their order and as long as some query sees them: the
/// documents of a packed sequence, or one span where every query sees the first keys of all. A query that
/// sees a key belongs to the span in which its last one lies. Nothing where some query sees other keys than
/// that, or where two spans have a key in common.
std::optional<std::vector<KeySpan>> spans_of_keys(const AllowedPairs& allowed);

}  // namespace headlight
