#pragma once

#include <cstdint>
#include <string_view>

namespace headlight {

/// The character at byte `next`, which moves behind it; negative when the bytes there are not UTF-8.
std::int32_t next_character(std::string_view text, std::int32_t& next);

}  // namespace headlight
