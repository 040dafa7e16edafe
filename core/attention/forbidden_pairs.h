#pragma once

#include "core/attention/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

/// The pairs of query and key that have no weight in a recorded run because they may not meet: forbidden by
/// the mask, or kept out by the head's choice of keys. Those of scores at -infinity; of an algorithm that has
/// no scores, those that the spec's mask forbids or its cache has dropped. A finite mask value forbids
/// nothing, and of maps that are too large to be kept nothing is said.
class ForbiddenPairs {
public:
    /// Keeps a reference to the trace.
    ForbiddenPairs(const Trace& trace, const std::string& site);

    /// [query, key] of a head, 1 = forbidden; empty when nothing is.
    std::vector<std::uint8_t> of_head(Index head) const;

private:
    std::vector<std::uint8_t> from_mask(const Trace& trace, const std::string& site) const;

    const Trace& trace_;
    const Stage* masked_ = nullptr;      ///< the scores that say what is forbidden
    const Stage* weights_ = nullptr;     ///< [.., query, key]
    std::vector<std::uint8_t> by_mask_;  ///< [query, key], where no scores were recorded
};

}  // namespace headlight
