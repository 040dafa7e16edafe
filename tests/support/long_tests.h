#pragma once

#include <cstdlib>

namespace headlight::test {

/// Whether a test takes its long form: `ctest -C long -L long`, which is no part of the suite.
inline bool is_long() { return std::getenv("HEADLIGHT_LONG_TESTS") != nullptr; }

}  // namespace headlight::test
