#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headlight {

/// The character at byte `next`, which moves behind it; negative when the bytes there are not UTF-8.
std::int32_t next_character(std::string_view text, std::int32_t& next);

/// Appends a character as UTF-8; U+FFFD in the place of a number that is none.
void append_character(std::string& text, std::uint32_t character);

}  // namespace headlight
