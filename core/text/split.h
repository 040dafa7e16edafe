#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

enum class TokenSplit {
    words,  ///< words and punctuation marks by UAX #29; white space separates; "[SEP]" and "<eos>" stay whole
    characters,  ///< grapheme clusters, which are never split; white space is a token of its own
};

/// The tokens of UTF-8 `text`, in logical order whatever the direction of the script. Throws Error when
/// `text` is not valid UTF-8 or holds no token ("empty text").
std::vector<std::string> split_text(std::string_view text, TokenSplit split);

/// Returns the grapheme clusters of `text`, which a person takes for one character each. The text must
/// outlive them.
std::vector<std::string_view> graphemes(std::string_view text);

}  // namespace headlight
