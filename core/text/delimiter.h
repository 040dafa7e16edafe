#pragma once

#include <string_view>

namespace headlight {

/// Whether a token only separates others: punctuation, the end of a line, or a special token of a model
/// ("[SEP]", "</s>", "<|endoftext|>"). The marks that tokenizers put in front of a word do not count: U+2581
/// of SentencePiece, U+0120 and U+010A of byte-level BPE, "##" of WordPiece.
bool is_delimiter(std::string_view token);

}  // namespace headlight
