#include "core/text/split.h"
#include "core/text/next_character.h"
#include "core/text/utf8_text.h"

#include "core/tensor/error.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <algorithm>
#include <memory>

namespace headlight {
namespace {

using Offset = std::int32_t;

/// Longer texts are refused rather than counted past what ICU's offsets hold; a book is a few megabytes.
constexpr std::size_t byte_limit = std::size_t(64) << 20;

void check_icu(UErrorCode status, const char* what) {
    if (U_FAILURE(status))
        throw Error({.what = what, .where = "ICU", .expected = "success", .got = u_errorName(status)});
}

/// Boundaries of a UTF-8 text as byte offsets. The text must outlive it.
class Boundaries {
public:
    using Factory = icu::BreakIterator* (*)(const icu::Locale&, UErrorCode&);

    explicit Boundaries(Factory create) {
        UErrorCode status = U_ZERO_ERROR;
        iterator_.reset(create(icu::Locale::getRoot(), status));
        check_icu(status, "find the boundaries of words and characters");
    }

    void set_text(std::string_view text) {
        UErrorCode status = U_ZERO_ERROR;
        UText utext = UTEXT_INITIALIZER;
        utext_openUTF8(&utext, text.data(), static_cast<std::int64_t>(text.size()), &status);
        iterator_->setText(&utext, status);
        utext_close(&utext);
        check_icu(status, "read text");
        iterator_->first();
    }

    /// The next boundary, or -1 behind the last.
    Offset next() { return iterator_->next(); }
    bool is_boundary(Offset offset) { return iterator_->isBoundary(offset) != 0; }

private:
    std::unique_ptr<icu::BreakIterator> iterator_;
};

// Opening an iterator costs more than running it over a sentence, so each thread keeps its own.
Boundaries& words_of(std::string_view text) {
    thread_local Boundaries boundaries(icu::BreakIterator::createWordInstance);
    boundaries.set_text(text);
    return boundaries;
}
Boundaries& graphemes_of(std::string_view text) {
    thread_local Boundaries boundaries(icu::BreakIterator::createCharacterInstance);
    boundaries.set_text(text);
    return boundaries;
}

void require_text(std::string_view text) {
    const auto refuse = [](std::size_t offset, const char* expected, std::string got) {
        throw Error({.what = "read text",
                     .where = "byte " + std::to_string(offset),
                     .expected = expected,
                     .got = std::move(got)});
    };
    if (text.size() > byte_limit)
        refuse(byte_limit, "at most 64 MiB", std::to_string(text.size()) + " bytes");
    for (Offset next = 0; next < static_cast<Offset>(text.size());) {
        const Offset start = next;
        const UChar32 character = next_character(text, next);
        if (character < 0) {
            constexpr std::string_view digits = "0123456789ABCDEF";
            const auto byte = static_cast<unsigned char>(text[static_cast<std::size_t>(start)]);
            refuse(start, "UTF-8", std::string("byte 0x") + digits[byte >> 4] + digits[byte & 15]);
        }
        if (character == 0)
            refuse(start, "text", "a zero byte");
    }
}

/// White space and characters without a picture of their own (zero-width space, a stray direction mark).
bool is_invisible(std::string_view text) {
    for (Offset next = 0; next < static_cast<Offset>(text.size());) {
        const UChar32 character = next_character(text, next);
        if (!u_isUWhiteSpace(character) && !u_iscntrl(character) &&
            !u_hasBinaryProperty(character, UCHAR_DEFAULT_IGNORABLE_CODE_POINT))
            return false;
    }
    return true;
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital_name(char c) { return is_upper(c) || is_digit(c) || c == '_'; }
bool is_name(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; }

/// Length of the special token of a language model at the start of `text`, or 0: "[SEP]" (capitals, so that
/// "[see]" is three tokens), "<eos>", "</s>", "<|endoftext|>".
std::size_t special_token_length(std::string_view text) {
    struct Form {
        std::string_view opening, closing;
        bool (*starts)(char);
        bool (*continues)(char);
    };
    static constexpr Form forms[] = {{"[", "]", is_upper, is_capital_name},
                                     {"<|", "|>", is_letter, is_name},
                                     {"</", ">", is_letter, is_name},
                                     {"<", ">", is_letter, is_name}};
    constexpr std::size_t longest = 32;
    for (const auto& [opening, closing, starts, continues] : forms) {
        const std::string_view name = text.substr(std::min(opening.size(), text.size()), longest);
        if (!text.starts_with(opening) || name.empty() || !starts(name.front()))
            continue;
        const auto length = std::find_if_not(name.begin(), name.end(), continues) - name.begin();
        if (text.substr(opening.size() + length).starts_with(closing))
            return opening.size() + length + closing.size();
    }
    return 0;
}

struct TextRange {
    std::size_t begin, end;
};

/// The special tokens of `text` that begin and end between grapheme clusters.
std::vector<TextRange> special_tokens(std::string_view text) {
    std::vector<TextRange> found;
    Boundaries& graphemes = graphemes_of(text);
    for (std::size_t at = text.find_first_of("[<"); at != text.npos; at = text.find_first_of("[<", at)) {
        const std::size_t end = at + special_token_length(text.substr(at));
        if (end > at && graphemes.is_boundary(static_cast<Offset>(at)) &&
            graphemes.is_boundary(static_cast<Offset>(end)))
            found.push_back({at, end});
        at = std::max(end, at + 1);
    }
    return found;
}

void append_words(std::string_view text, std::vector<std::string>& tokens) {
    Boundaries& words = words_of(text);
    Boundaries& graphemes = graphemes_of(text);
    std::size_t begin = 0;
    for (Offset end = words.next(); end >= 0; end = words.next()) {
        if (!graphemes.is_boundary(end))
            continue;
        const std::string_view token = text.substr(begin, static_cast<std::size_t>(end) - begin);
        begin = static_cast<std::size_t>(end);
        if (!is_invisible(token))
            tokens.emplace_back(token);
    }
}

std::vector<std::string> split_words(std::string_view text) {
    std::vector<std::string> tokens;
    std::size_t begin = 0;
    for (const TextRange special : special_tokens(text)) {
        append_words(text.substr(begin, special.begin - begin), tokens);
        tokens.emplace_back(text.substr(special.begin, special.end - special.begin));
        begin = special.end;
    }
    append_words(text.substr(begin), tokens);
    return tokens;
}

std::vector<std::string> split_characters(std::string_view text) {
    std::vector<std::string> tokens;
    Boundaries& graphemes = graphemes_of(text);
    std::size_t begin = 0;
    for (Offset end = graphemes.next(); end >= 0; end = graphemes.next()) {
        tokens.emplace_back(text.substr(begin, static_cast<std::size_t>(end) - begin));
        begin = static_cast<std::size_t>(end);
    }
    return tokens;
}

}  // namespace

std::vector<std::string> split_text(std::string_view text, TokenSplit split) {
    require_text(text);
    text = without_byte_order_mark(text);
    if (is_invisible(text))
        throw Error({.what = "split text into tokens", .where = {}, .expected = "text", .got = "empty text"});
    return split == TokenSplit::words ? split_words(text) : split_characters(text);
}

std::vector<std::string_view> graphemes(std::string_view text) {
    Boundaries& boundaries = graphemes_of(text);
    std::vector<std::string_view> found;
    Offset begin = 0;
    for (Offset end = boundaries.next(); end >= 0; end = boundaries.next()) {
        found.push_back(text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
        begin = end;
    }
    return found;
}

}  // namespace headlight
