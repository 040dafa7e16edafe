#pragma once

#include "core/attention/trace.h"
#include "core/tensor/words.h"

namespace headlight {

/// How the tokens of a capture are written where they are shown.
enum class TokenSpelling {
    text,    ///< what they mean (core/text/token_text.h), with the spaces that are theirs: " the" of "Ġthe"
    plain,   ///< the same without those spaces and without "##"
    stored,  ///< as the vocabulary has them: "Ġthe", "▁the", "<0xE4>"
};

template <>
std::span<const Word<TokenSpelling>> words();

/// `stored` is one text in order. A token of which plain leaves nothing, such as a space, keeps its text.
std::vector<std::string> spelled(std::vector<std::string> stored, TokenSpelling spelling);
TokenLabels spelled(TokenLabels stored, TokenSpelling spelling);
/// Returns the trace with the tokens of all sites in that spelling.
Trace spelled(Trace stored, TokenSpelling spelling);

}  // namespace headlight
