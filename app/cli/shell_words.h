#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// A line as a shell parts it: words between blanks, which "..." and '...' keep together; a backslash outside
/// of '...' stands for the sign behind it; # at the start of a word begins a comment. Nothing is replaced.
/// Throws Error for a quotation mark that nobody closes.
std::vector<std::string> shell_words(std::string_view line);

/// The lines of a text, without what ends them.
std::vector<std::string> lines_in(std::string_view text);

}  // namespace headlight
