#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// Text without the byte order mark U+FEFF with which some programs begin a file in UTF-8.
std::string_view without_byte_order_mark(std::string_view text);

/// A text file's bytes as UTF-8 without a byte order mark: UTF-16, as spreadsheets save it, is converted
/// where its mark says so. Throws Error for UTF-16 that is cut off or wrong, or that has no mark.
std::string utf8_text(std::string bytes);

}  // namespace headlight
