#include "core/text/delimiter.h"

#include "core/text/next_character.h"
#include "core/text/token_text.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <unicode/uchar.h>

namespace headlight {
namespace {

bool is_special(std::string_view token) {
    if (token.size() < 3 || is_byte_numbers(token))
        return false;
    if (token.front() == '<' && token.back() == '>')
        return true;
    return token.front() == '[' && token.back() == ']' &&
           std::ranges::all_of(token.substr(1, token.size() - 2), [](unsigned char c) {
               return std::isupper(c) || std::isdigit(c) || c == '_';
           });
}

}  // namespace

bool is_delimiter(std::string_view token) {
    if (token.starts_with("##") && token.size() > 2)
        token.remove_prefix(2);
    if (is_special(token))
        return true;
    bool separates = false;
    for (std::int32_t at = 0; at < std::ssize(token);) {
        const std::int32_t character = next_character(token, at);
        if (character == ' ')
            continue;
        if (character != '\n' && (character < 0 || !u_ispunct(character)))
            return false;
        separates = true;
    }
    return separates;
}

}  // namespace headlight
