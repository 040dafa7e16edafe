#pragma once

#include "core/attention/plan.h"

#include <cstdint>
#include <vector>

namespace headlight {

/// After how many layers of one mask a token can know of another: the boolean powers of A or I, A the allowed
/// pairs of one layer, I the residual connection that keeps every token's own vector (Child et al. 2019,
/// section 4.2).
struct ReceptiveField {
    Index tokens = 0;
    Index layers = 0;                 ///< how many were looked at
    std::vector<std::uint8_t> first;  ///< [query, key]: layers until the key is reached; 0 = not within them

    bool reaches(Index query, Index key, Index after) const {
        const std::uint8_t at = first[static_cast<std::size_t>(query * tokens + key)];
        return at > 0 && at <= after;
    }
    /// Pairs that are reached after so many layers.
    Index count(Index after) const;
};

inline constexpr Index most_layers = 64;

/// Throws Error unless queries and keys are one sequence, and for layers beyond most_layers.
ReceptiveField receptive_field(const AllowedPairs& allowed, Index layers);
/// The same of [token, token], 1 = allowed.
ReceptiveField receptive_field(std::span<const std::uint8_t> allowed, Index tokens, Index layers);

}  // namespace headlight
