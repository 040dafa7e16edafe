#include "core/analysis/token_spelling.h"

#include "core/text/bare_token.h"
#include "core/text/token_text.h"

#include <utility>

namespace headlight {

template <>
std::span<const Word<TokenSpelling>> words() {
    static constexpr Word<TokenSpelling> list[] = {
        {TokenSpelling::text, "text", "what they mean, with the spaces that are theirs"},
        {TokenSpelling::plain, "plain", "what they mean, without spaces and ##"},
        {TokenSpelling::stored, "stored", "as the vocabulary has them, such as Ġthe, ▁the or <0xE4>"}};
    return list;
}

std::vector<std::string> spelled(std::vector<std::string> stored, TokenSpelling spelling) {
    if (spelling == TokenSpelling::stored)
        return stored;
    std::vector<std::string> texts = token_texts(stored);
    if (spelling == TokenSpelling::plain)
        for (std::string& text : texts)
            if (std::string bare = bare_token(text); !bare.empty())
                text = std::move(bare);
    return texts;
}

TokenLabels spelled(TokenLabels stored, TokenSpelling spelling) {
    stored.query = spelled(std::move(stored.query), spelling);
    stored.key = spelled(std::move(stored.key), spelling);
    return stored;
}

Trace spelled(Trace stored, TokenSpelling spelling) {
    stored.tokens = spelled(std::move(stored.tokens), spelling);
    for (auto& [site, tokens] : stored.joined_tokens)
        tokens = spelled(std::move(tokens), spelling);
    return stored;
}

}  // namespace headlight
