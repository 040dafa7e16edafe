#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// The text of a token (token_text.h) without the space around it and the mark of WordPiece: "the" of " the"
/// and of "##the". Empty where it has nothing else.
std::string bare_token(std::string_view token);

}  // namespace headlight
