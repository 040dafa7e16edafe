#include "core/text/bare_token.h"

#include <cctype>

namespace headlight {
namespace {

constexpr std::string_view word_piece = "##";

}  // namespace

std::string bare_token(std::string_view token) {
    if (token.size() > word_piece.size() && token.starts_with(word_piece))
        token.remove_prefix(word_piece.size());
    const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
    while (!token.empty() && is_space(static_cast<unsigned char>(token.front())))
        token.remove_prefix(1);
    while (!token.empty() && is_space(static_cast<unsigned char>(token.back())))
        token.remove_suffix(1);
    return std::string(token);
}

}  // namespace headlight
