#pragma once

#include "core/analysis/token_spelling.h"
#include "core/map/derived_maps.h"

#include <string>
#include <vector>

namespace headlight {

/// What a row or a column of a map is, where the tokens of a model are parts of words.
enum class TokenUnit {
    token,
    word,      ///< of word pieces ("##ing"), byte-level BPE ("Ġthe"), SentencePiece ("▁the"), or "the</w>"
    sentence,  ///< up to a full stop, a question or an exclamation mark, and the quotes that close behind it
    line,
    turn,  ///< of a dialogue: from a token that opens one ("<|im_start|>", "[INST]"), or a line "Name: ..."
};

template <>
std::span<const Word<TokenUnit>> words();

/// Maps with a row and a column for each unit (maps_of_words()): what is looked at is summed, who looks is
/// averaged; the values of keys are left out. Tokens may be as their tokenizer stores them. An axis without
/// names stays as it is; throws Error where neither has any. Single tokens are written as `spelling` says.
LabelledMaps in_units(LabelledMaps maps, TokenUnit unit, TokenSpelling spelling = TokenSpelling::text);
std::vector<LabelledMaps> in_units(std::vector<LabelledMaps> maps, TokenUnit unit,
                                   TokenSpelling spelling = TokenSpelling::text);

}  // namespace headlight
