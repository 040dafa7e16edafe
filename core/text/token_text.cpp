#include "core/text/token_text.h"

#include "core/text/next_character.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace headlight {
namespace {

constexpr std::string_view space_of_sentencepiece = "▁", end_of_word = "</w>", bytes_open = "<0x";

bool is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); }

int digit_value(char c) { return c <= '9' ? c - '0' : c - 'A' + 10; }

/// "<0xE4>" of SentencePiece.
std::optional<char> fallback_byte(std::string_view token) {
    constexpr std::size_t length = 6;
    if (token.size() != length || !is_byte_numbers(token))
        return std::nullopt;
    return static_cast<char>(digit_value(token[3]) << 4 | digit_value(token[4]));
}

/// Whether a person would not read it as text: "<s>", "[SEP]", "<|endoftext|>".
bool is_special_token(std::string_view token) {
    return token.size() > 2 &&
           ((token.front() == '<' && token.back() == '>') || (token.front() == '[' && token.back() == ']'));
}

/// GPT-2's `bytes_to_unicode`: bytes that print as themselves in Latin-1 are spelt so, and the 68 others, in
/// their order, with the characters from U+0100 on.
constexpr std::int32_t first_other = 0x100, last_other = 0x143;
constexpr bool prints_itself(std::int32_t byte) {
    return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
}
std::optional<char> byte_spelt(std::int32_t character) {
    static constexpr auto others = [] {
        std::array<char, last_other - first_other + 1> bytes{};
        std::size_t next = 0;
        for (std::int32_t byte = 0; byte < 256; ++byte)
            if (!prints_itself(byte))
                bytes[next++] = static_cast<char>(byte);
        return bytes;
    }();
    if (character >= first_other && character <= last_other)
        return others[static_cast<std::size_t>(character - first_other)];
    return character >= 0 && character < first_other && prints_itself(character)
               ? std::optional(static_cast<char>(character))
               : std::nullopt;
}

/// The bytes of a token whose letters are all letters for bytes.
std::optional<std::string> spelt_bytes(std::string_view token) {
    std::string bytes;
    for (std::int32_t at = 0; at < std::ssize(token);) {
        const auto byte = byte_spelt(next_character(token, at));
        if (!byte)
            return std::nullopt;
        bytes += *byte;
    }
    return bytes;
}

/// What no text has: control characters other than white space.
bool has_controls(std::string_view bytes) {
    return std::ranges::any_of(bytes, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\n' && c != '\t' && c != '\r') || byte == 0x7F;
    });
}

bool has_other_letters(std::string_view token) {
    for (std::int32_t at = 0; at < std::ssize(token);)
        if (next_character(token, at) >= first_other)
            return true;
    return false;
}

/// A character of several bytes, whole, that cannot be a letter of a language's text by chance.
bool spells_a_character(std::string_view token, std::string_view bytes) {
    const bool is_whole = readable_bytes(bytes) == bytes;
    return is_whole && has_other_letters(token) &&
           std::ranges::any_of(bytes, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

/// Whether more of the tokens than not are as byte-level BPE spells them, and as texts are not: a word with
/// "Ġ" for the space before it, "Ċ" for a new line, or the bytes of a letter.
bool are_byte_level(std::span<const std::string> tokens) {
    std::ptrdiff_t speak_for = 0, speak_against = 0;
    for (const std::string& token : tokens) {
        if (is_special_token(token))
            continue;
        const auto bytes = spelt_bytes(token);
        if (!bytes || has_controls(*bytes))
            ++speak_against;
        else if (token.starts_with("Ġ") || token.starts_with("Ċ") || spells_a_character(token, *bytes))
            ++speak_for;
    }
    return speak_for > speak_against;
}

/// Whether "<0xE4>" among these tokens is a byte: where SentencePiece has marked a space, or such tokens in a
/// row make a character of several bytes. Elsewhere it may be what somebody wrote.
bool have_fallback_bytes(std::span<const std::string> tokens) {
    std::string run;
    for (const std::string& token : tokens) {
        const auto byte = fallback_byte(token);
        if (token.find(space_of_sentencepiece) != std::string::npos && !is_special_token(token))
            return true;
        if (byte && static_cast<unsigned char>(*byte) >= 0x80)
            run += *byte;
        else
            run.clear();
        if (!run.empty() && readable_bytes(run) == run)
            return true;
    }
    return false;
}

/// A token of letters alone that are spelt as themselves, as "naï" is in a list where somebody wrote that one
/// out: "ï" is then the letter, where no other byte makes a character of it.
bool is_written_out(std::string_view token) {
    if (token.starts_with("Ġ"))
        token.remove_prefix(std::string_view("Ġ").size());
    const bool has_ascii = std::ranges::any_of(token, [](char c) { return static_cast<signed char>(c) > 0; });
    return has_ascii && !has_other_letters(token);
}

std::string replaced(std::string_view text, std::string_view from, char to) {
    std::string result;
    for (std::size_t at; (at = text.find(from)) != std::string_view::npos;
         text.remove_prefix(at + from.size()))
        (result += text.substr(0, at)) += to;
    return result += text;
}

/// Reads the marks of a token that spells no bytes.
std::string marks_read(std::string_view token) {
    if (is_special_token(token))
        return std::string(token);
    if (token.size() > end_of_word.size() && token.ends_with(end_of_word))
        return std::string(token.substr(0, token.size() - end_of_word.size())) + ' ';
    return replaced(token, space_of_sentencepiece, ' ');
}

/// Which bytes of a text belong to whole characters.
std::vector<bool> whole_bytes(std::string_view text) {
    std::vector<bool> whole(text.size());
    for (std::int32_t at = 0; at < std::ssize(text);) {
        const auto begin = static_cast<std::size_t>(at);
        if (next_character(text, at) >= 0)
            std::fill(whole.begin() + static_cast<std::ptrdiff_t>(begin), whole.begin() + at, true);
    }
    return whole;
}

std::string byte_numbers(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string text(bytes_open);
    for (const char c : bytes)
        (text += digits[static_cast<unsigned char>(c) >> 4]) += digits[static_cast<unsigned char>(c) & 15];
    return text + '>';
}

std::string one_token_bytes(const std::string& token, bool byte_level, bool falls_back) {
    if (falls_back)
        if (const auto byte = fallback_byte(token))
            return std::string(1, *byte);
    if (byte_level && !is_special_token(token))
        if (const auto spelt = spelt_bytes(token); spelt && !has_controls(*spelt))
            return *spelt;
    return marks_read(token);
}

}  // namespace

std::vector<std::string> token_bytes(std::span<const std::string> tokens) {
    const bool byte_level = are_byte_level(tokens), falls_back = have_fallback_bytes(tokens);
    std::vector<std::string> result;
    result.reserve(tokens.size());
    std::string text;
    for (const std::string& token : tokens) {
        result.push_back(one_token_bytes(token, byte_level, falls_back));
        text += result.back();
    }
    if (!byte_level)
        return result;
    const std::vector<bool> whole = whole_bytes(text);
    std::size_t begin = 0;
    for (std::size_t at = 0; at < result.size(); ++at) {
        const std::size_t end = begin + result[at].size();
        const bool has_parts = std::find(whole.begin() + static_cast<std::ptrdiff_t>(begin),
                                         whole.begin() + static_cast<std::ptrdiff_t>(end),
                                         false) != whole.begin() + static_cast<std::ptrdiff_t>(end);
        if (has_parts && is_written_out(tokens[at]))
            result[at] = tokens[at].starts_with("Ġ") ? ' ' + tokens[at].substr(std::string_view("Ġ").size())
                                                     : tokens[at];
        begin = end;
    }
    return result;
}

std::vector<std::string> token_texts(std::span<const std::string> tokens) {
    std::vector<std::string> texts = token_bytes(tokens);
    for (std::string& text : texts)
        text = readable_bytes(text);
    return texts;
}

std::string readable_bytes(std::string_view bytes) {
    std::string text;
    std::string_view part;  // of a character, until a whole one follows
    for (std::int32_t at = 0; at < std::ssize(bytes);) {
        const auto begin = static_cast<std::size_t>(at);
        const bool is_whole = next_character(bytes, at) >= 0;
        const std::string_view here = bytes.substr(begin, static_cast<std::size_t>(at) - begin);
        if (!is_whole) {
            part = {part.empty() ? here.data() : part.data(), part.size() + here.size()};
            continue;
        }
        text += part.empty() ? "" : byte_numbers(part);
        part = {};
        text += here;
    }
    return part.empty() ? text : text + byte_numbers(part);
}

bool is_byte_numbers(std::string_view token) {
    const bool is_between = token.starts_with(bytes_open) && token.ends_with('>');
    if (!is_between || token.size() <= bytes_open.size() + 1)
        return false;
    const std::string_view digits = token.substr(bytes_open.size(), token.size() - bytes_open.size() - 1);
    return digits.size() % 2 == 0 && std::ranges::all_of(digits, is_hexadecimal);
}

}  // namespace headlight
