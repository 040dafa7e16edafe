#include "core/text/utf8_text.h"

#include "core/tensor/error.h"

#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <vector>

namespace headlight {
namespace {

constexpr std::string_view mark_in_utf8 = "\xEF\xBB\xBF", mark_of_little_ends = "\xFF\xFE",
                           mark_of_big_ends = "\xFE\xFF";

std::vector<char16_t> units_of(std::string_view bytes, bool is_little) {
    std::vector<char16_t> units;
    units.reserve(bytes.size() / 2);
    for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
        const auto first = static_cast<unsigned char>(bytes[at]),
                   second = static_cast<unsigned char>(bytes[at + 1]);
        units.push_back(static_cast<char16_t>(is_little ? second << 8 | first : first << 8 | second));
    }
    return units;
}

std::string from_utf16(std::string_view bytes, bool is_little) {
    const Error wrong({"read text", "", "whole characters of UTF-16", "a part of one"});
    if (bytes.size() % 2 != 0)
        throw wrong;
    const std::vector<char16_t> units = units_of(bytes, is_little);
    std::string text;
    text.reserve(units.size());
    for (std::size_t at = 0; at < units.size();) {
        UChar32 character = units[at++];
        const bool is_pair = U16_IS_LEAD(character) && at < units.size() && U16_IS_TRAIL(units[at]);
        if (is_pair)
            character = U16_GET_SUPPLEMENTARY(character, units[at++]);
        else if (U16_IS_SURROGATE(character))
            throw wrong;
        char encoded[U8_MAX_LENGTH];
        std::size_t length = 0;
        U8_APPEND_UNSAFE(encoded, length, character);
        text.append(encoded, length);
    }
    return text;
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view text) {
    if (text.starts_with(mark_in_utf8))
        text.remove_prefix(mark_in_utf8.size());
    return text;
}

std::string utf8_text(std::string bytes) {
    constexpr std::size_t looked_at = 4;
    const std::string_view view = bytes;
    for (const std::string_view mark : {mark_of_little_ends, mark_of_big_ends})
        if (view.starts_with(mark))
            return from_utf16(view.substr(mark.size()), mark == mark_of_little_ends);
    if (view.substr(0, looked_at).find('\0') != std::string_view::npos)
        throw Error({"read text", "", "UTF-8, or UTF-16 with a byte order mark", "zero bytes"});
    if (view.starts_with(mark_in_utf8))
        bytes.erase(0, mark_in_utf8.size());
    return bytes;
}

}  // namespace headlight
