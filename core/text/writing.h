#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// Whether `text` begins with a character that is written around the one before it (an accent, a joiner), and
/// so shows nothing of its own where there is none.
bool begins_with_mark(std::string_view text);

/// Whether `text` is one emoji or several, and so looks wrong on its side.
bool is_of_emoji(std::string_view text);

/// Returns the parts of `text` that are turned as one where it stands upright or slants: each emoji is a part
/// of its own, which is not turned. A text with letters from the right is one part, for its characters do not
/// stand in their own order.
std::vector<std::string> turned_parts(std::string_view text);

/// How the words of a text run.
struct WritingDirection {
    bool from_right = false;           ///< the text as a whole: its lines begin at the right
    std::vector<std::uint8_t> levels;  ///< [word], of embedding: what has an odd one runs from right to left
};

/// Returns the direction of words with spaces between them, by the Unicode bidirectional algorithm (UAX #9).
/// The text runs as most of its words do, and as the first where they are even; the signs of tokenizers
/// ("[CLS]", "<s>") are none of them.
WritingDirection writing_direction(std::span<const std::string> words);

/// The words of a line in the order in which they stand, from the left, as places in `levels`.
std::vector<std::size_t> order_from_left(std::span<const std::uint8_t> levels);

}  // namespace headlight
