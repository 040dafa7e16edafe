#pragma once

#include <string_view>

namespace headlight {

/// Writes to standard output and makes sure that it arrived: throws Error for a full disk or a closed pipe.
void print(std::string_view text);

}  // namespace headlight
