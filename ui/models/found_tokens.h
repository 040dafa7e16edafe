#pragma once

#include "core/tensor/tensor.h"

#include <QString>

#include <string>
#include <vector>

namespace headlight {

/// Tokens that follow one another, from `first` to `last`.
struct TokenRange {
    Index first = 0, last = 0;
    bool operator==(const TokenRange&) const = default;
};
/// Whether one of the ranges, in the order of the text, has the token.
bool is_among(const std::vector<TokenRange>& ranges, Index token);

/// Where a text is among tokens. It is read as one writes it, so that it is found across the pieces that a
/// tokenizer made of a word, or of a character: what tokens mean (core/text/token_text.h) begins a word with
/// a space, "##" goes on with one, and where no piece has either each is a word. Case counts where the text
/// has a capital letter.
struct FoundTokens {
    std::vector<TokenRange> ranges;  ///< in the order of the text
    QString problem;                 ///< of an expression that is none; else empty
};

/// `is_expression`: the text is a regular expression of Perl. Nothing is found of an empty text.
FoundTokens find_tokens(const std::vector<std::string>& tokens, const QString& text, bool is_expression);

}  // namespace headlight
