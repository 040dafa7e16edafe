#pragma once

#include <cstddef>

namespace headlight {

/// Counts and numbers elements, rows, tokens, heads.
using Index = std::ptrdiff_t;

}  // namespace headlight
