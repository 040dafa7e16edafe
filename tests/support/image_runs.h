#pragma once

// What the contract tests of algorithms share whose tokens are the places of one small image.

#include "tests/support/attention_runs.h"

#include <utility>

namespace headlight::test::images {

inline constexpr double exact = 1e-12;
inline constexpr Index rows = 3, columns = 4, places = rows * columns, channels = 6;

inline AttentionSpec image(Json algorithm) { return spec(Json{{"algorithm", std::move(algorithm)}}.dump()); }

}  // namespace headlight::test::images
