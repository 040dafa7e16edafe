#pragma once

#include <string_view>

namespace headlight {

/// Whether the text of a token (token_text.h) only separates others: punctuation, the end of a line, or a
/// special token of a model ("[SEP]", "</s>", "<|endoftext|>"). The space in front of it does not count, nor
/// "##" of WordPiece.
bool is_delimiter(std::string_view token);

}  // namespace headlight
