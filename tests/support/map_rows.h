#pragma once

// What tests ask of the rows of a map that attention behind a causal mask has made.

#include "tests/support/attention_runs.h"

#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace headlight::test {

/// An algorithm, as JSON, whose queries see themselves and what came before.
inline AttentionSpec causal(const std::string& algorithm) {
    return spec(R"({"algorithm": )" + algorithm + R"(, "mask": {"type": "causal"}})");
}

/// An algorithm, as JSON, whose queries see every key.
inline AttentionSpec unmasked(const std::string& algorithm) {
    return spec(R"({"algorithm": )" + algorithm + "}");
}

/// All of them added.
inline double total_of(std::span<const double> numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

/// One row of numbers that lie row behind row, each of `columns`.
inline std::span<const double> row_of(std::span<const double> numbers, Index row, Index columns) {
    return numbers.subspan(static_cast<std::size_t>(row * columns), static_cast<std::size_t>(columns));
}

}  // namespace headlight::test
