#pragma once

#include <cstddef>
#include <cstdlib>

namespace headlight::test {

/// Whether a test takes its long form: `ctest -C long -L long`, which is no part of the suite.
inline bool is_long() { return std::getenv("HEADLIGHT_LONG_TESTS") != nullptr; }

/// Whether the one with this number of rows alike is tried: one in `share`, and all in the long form.
inline bool has_turn(std::size_t number, std::size_t share) { return is_long() || number % share == 0; }

}  // namespace headlight::test
