#pragma once

#include "core/model/tasks/task.h"

namespace headlight::english_french {

/// Appends the words of a text to `words`.
void append(Tokens& words, std::string_view text);
void append(Tokens& words, const Tokens& more);

/// Whether a French word makes the one before it elide: it begins with a vowel or a mute h ("homme", not
/// "hibou").
bool begins_with_vowel_sound(std::string_view word);

/// French as it is written: "le homme" is "l' homme", "de les" is "des".
Tokens with_elisions_and_contractions(const Tokens& words);

}  // namespace headlight::english_french
