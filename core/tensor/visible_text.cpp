#include "core/tensor/visible_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

namespace headlight {
namespace {

struct Character {
    char32_t code;
    std::size_t bytes;
};
/// Nothing where the first bytes are not UTF-8 (RFC 3629: not overlong, no surrogates, at most U+10FFFF).
std::optional<Character> first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return Character{lead, 1};
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes)
        return std::nullopt;
    char32_t code = lead & (0x7Fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0u) != 0x80)
            return std::nullopt;
        code = code << 6 | (byte(i) & 0x3Fu);
    }
    const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < smallest[bytes] || code > 0x10FFFF || is_surrogate)
        return std::nullopt;
    return Character{code, bytes};
}

struct Range {
    char32_t first, last;
};

template <std::size_t count>
bool is_in(const std::array<Range, count>& ranges, char32_t code) {
    return std::ranges::any_of(ranges,
                               [code](Range range) { return code >= range.first && code <= range.last; });
}

/// The blocks that Unicode keeps for what runs from right to left (its bidirectional classes R, AL and AN),
/// and the marks that turn a text there.
bool turns_text(char32_t code) {
    constexpr std::array ranges{
        Range{0x590, 0x8FF},   Range{0x200F, 0x200F},   Range{0x202B, 0x202B},
        Range{0x202E, 0x202E}, Range{0x2067, 0x2067},   Range{0xFB1D, 0xFDFF},
        Range{0xFE70, 0xFEFE}, Range{0x10800, 0x10FFF}, Range{0x1E800, 0x1EFFF},
    };
    return is_in(ranges, code);
}

/// Control and format characters (Unicode's Cc, Zl, Zp and Cf without the joiners), and fillers without ink.
bool is_invisible(char32_t code) {
    constexpr std::array ranges{
        Range{0x00, 0x1F},     Range{0x7F, 0x9F},     Range{0xAD, 0xAD},       Range{0x61C, 0x61C},
        Range{0x115F, 0x1160}, Range{0x180E, 0x180E}, Range{0x200B, 0x200B},   Range{0x200E, 0x200F},
        Range{0x2028, 0x202E}, Range{0x2060, 0x206F}, Range{0x3164, 0x3164},   Range{0xFEFF, 0xFEFF},
        Range{0xFFA0, 0xFFA0}, Range{0xFFF9, 0xFFFB}, Range{0xE0000, 0xE0FFF},
    };
    return is_in(ranges, code);
}

bool has_turning_text(std::string_view text) {
    while (!text.empty()) {
        const auto character = first_character(text);
        if (character && turns_text(character->code))
            return true;
        text.remove_prefix(character ? character->bytes : 1);
    }
    return false;
}

template <class... Values>
std::string formatted(const char* format, Values... values) {
    std::array<char, 16> text;
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

}  // namespace

std::string next_visible(std::string_view& text) {
    const auto character = first_character(text);
    const std::string_view bytes = text.substr(0, character ? character->bytes : 1);
    text.remove_prefix(bytes.size());
    if (!character)
        return formatted("\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(bytes.front())));
    const auto code = static_cast<unsigned>(character->code);
    if (!is_invisible(character->code))
        return std::string(bytes);
    if (code == '\n' || code == '\t' || code == '\r')
        return code == '\n' ? "\\n" : code == '\t' ? "\\t" : "\\r";
    return formatted(code < 0x80 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
}

std::string isolated(std::string_view text) {
    std::string whole(text);
    return has_turning_text(text) ? "\u2068" + whole + "\u2069" : whole;
}

std::string in_quotes(std::string_view token) { return "“" + isolated(token) + "”"; }

std::string with_arrow(const std::string& from, const std::string& to) {
    const std::string whole = from + " → " + to;
    return has_turning_text(whole) ? "\u2066" + whole + "\u2069" : whole;
}

std::string visible(std::string_view text) {
    if (std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; }))
        return std::string(text);
    std::string shown;
    while (!text.empty())
        shown += next_visible(text);
    return shown;
}

}  // namespace headlight
