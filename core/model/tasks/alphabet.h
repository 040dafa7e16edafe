#pragma once

#include "core/model/tasks/task.h"

namespace headlight {

/// Each character of ASCII text as a token.
Tokens characters_of(std::string_view text);

/// a to z.
const Tokens& lowercase_letters();

/// Each token once, in ascending order of bytes: a vocabulary.
Tokens sorted_once(Tokens tokens);

/// `shortest` to `longest` of the characters, each drawn on its own.
Tokens random_tokens(Random& random, std::span<const std::string> alphabet, Index shortest, Index longest);

}  // namespace headlight
