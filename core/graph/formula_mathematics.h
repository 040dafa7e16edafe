#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace headlight {

/// Part of a name or a number.
inline bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A line with TeX, and with signs of print or of other languages, in the signs of a formula; products
/// without a sign stay so. Empty where nobody could say.
std::string mathematics_in_signs(std::string_view line);

}  // namespace headlight
