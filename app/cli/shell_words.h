#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// A line as a shell parts it: words between blanks, which "..." and '...' keep together; a backslash stands
/// for the sign behind it outside of quotes, and in "..." before " and \\; # at the start of a word begins a
/// comment. Nothing is replaced. Throws Error for a quotation mark that nobody closes.
std::vector<std::string> shell_words(std::string_view line);

/// The lines of a text, without what ends them and without a byte order mark.
std::vector<std::string> lines_in(std::string_view text);

}  // namespace headlight
