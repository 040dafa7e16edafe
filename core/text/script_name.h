#pragma once

#include <string>

namespace headlight {

/// The script that a character is of, as Unicode names it: "Devanagari", "Han". Empty for what all scripts
/// share (digits, punctuation, symbols) and for characters that have none.
std::string script_name(char32_t character);

/// Whether a character is a picture, as fonts of emoji have it.
bool is_emoji(char32_t character);

}  // namespace headlight
