#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// `text` on one line, with an escape for every byte that is not UTF-8 (\xff), every control character (\n,
/// \x1b) and every character that cannot be seen or that turns the direction of the text (\u200b, \u202e).
/// The joiners U+200C and U+200D stay: words and emoji are written with them. Every part of an Error is kept
/// so.
std::string visible(std::string_view text);

/// `text` as a part of a sentence that runs from left to right: where letters of it run from right to left it
/// is isolated (U+2068, U+2069), so that it turns neither the sentence nor what stands beside it.
std::string isolated(std::string_view text);

/// “token”, isolated.
std::string in_quotes(std::string_view token);

/// "“a” → “b”": that stands from left to right in a sentence of any direction, so that the arrow points from
/// the first to the second.
std::string with_arrow(const std::string& from, const std::string& to);

/// The first character of `text`, which is not empty, as visible() shows it; takes it from `text`.
std::string next_visible(std::string_view& text);

}  // namespace headlight
