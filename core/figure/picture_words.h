#pragma once

#include "core/figure/motion.h"

#include <string>
#include <vector>

namespace headlight {

/// The whole picture in words, line by line, for who cannot see it: its description, then of a flow every
/// part with what it holds and every arrow that has a name at both ends, of a matrix the largest numbers of
/// each row with the words of both sides. Matrices of more than `most_rows_in_words` rows, and those of many
/// thousand tokens, have their description alone.
std::vector<std::string> picture_in_words(const Figure& figure);
inline constexpr Index most_rows_in_words = 256;

/// What a motion shows, from its beginning to its end: a sentence for each number that is done.
std::vector<std::string> motion_in_words(const Motion& motion);

}  // namespace headlight
