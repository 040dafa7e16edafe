#pragma once

#include "tests/fuzz/readers.h"

namespace headlight::test {

/// The reader that this target tries.
const Reader& reader();

}  // namespace headlight::test
