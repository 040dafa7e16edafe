#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// A token without the marks of its tokenizer and the space around it: "the" of "Ġthe" (byte-level BPE),
/// "▁the" (SentencePiece), "##the" (WordPiece), "the</w>" and " the". Empty where it has nothing else.
std::string bare_token(std::string_view token);

}  // namespace headlight
