#pragma once

// What the contract tests of algorithms share that look from a sequence at itself.

#include "tests/support/attention_runs.h"

namespace headlight::test::self_attention {

inline constexpr double exact = 1e-12;

inline Inputs tokens(Index count, Index width, std::uint64_t seed) {
    RandomEngine random(seed);
    return {.query = random_tensor({count, width}, random)};
}

/// Returns one head of maps, or one row of a map, of `size` numbers each.
inline std::span<const double> head_of(const std::vector<double>& maps, Index head, Index size) {
    return std::span(maps).subspan(static_cast<std::size_t>(head * size), static_cast<std::size_t>(size));
}

}  // namespace headlight::test::self_attention
