#include "core/model/tasks/alphabet.h"

#include <algorithm>

namespace headlight {

Tokens characters_of(std::string_view text) {
    Tokens tokens;
    for (const char character : text)
        tokens.emplace_back(1, character);
    return tokens;
}

const Tokens& lowercase_letters() {
    static const Tokens tokens = characters_of("abcdefghijklmnopqrstuvwxyz");
    return tokens;
}

Tokens sorted_once(Tokens tokens) {
    std::sort(tokens.begin(), tokens.end());
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    return tokens;
}

Tokens random_tokens(Random& random, std::span<const std::string> alphabet, Index shortest, Index longest) {
    Tokens tokens(static_cast<std::size_t>(random.between(shortest, longest)));
    for (std::string& token : tokens)
        token = random.one_of(alphabet);
    return tokens;
}

}  // namespace headlight
