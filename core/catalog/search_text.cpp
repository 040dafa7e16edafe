#include "core/catalog/search_text.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdint>

namespace headlight {
namespace {

/// Without case, and with accents as characters of their own; as it is should ICU lack its data.
icu::UnicodeString taken_apart(std::string_view text) {
    const icu::UnicodeString given =
        icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())});
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* form = icu::Normalizer2::getNFKDInstance(status);
    icu::UnicodeString apart = U_SUCCESS(status) ? form->normalize(given, status) : given;
    if (U_FAILURE(status))
        apart = given;
    return apart.foldCase();
}

bool is_mark(UChar32 letter) { return (U_GET_GC_MASK(letter) & U_GC_M_MASK) != 0; }

/// A stroke is no accent that could be taken off, but nobody types one to find Łukasz.
char32_t without_stroke(UChar32 letter) {
    switch (letter) {
    case U'ł':
        return U'l';
    case U'ø':
        return U'o';
    case U'đ':
        return U'd';
    default:
        return static_cast<char32_t>(letter);
    }
}

bool is_digit(char32_t letter) { return letter >= U'0' && letter <= U'9'; }

/// Whether `text` begins with `word` but for one letter of it.
bool begins_nearly(std::u32string_view text, std::u32string_view word) {
    const auto begins = [](std::u32string_view whole, std::u32string_view part) {
        return whole.substr(0, part.size()) == part;
    };
    std::size_t same = 0;
    while (same < text.size() && same < word.size() && text[same] == word[same])
        ++same;
    if (same == word.size())
        return true;
    const std::u32string_view left = text.substr(same), typed = word.substr(same);
    if (is_digit(typed.front()) || (!left.empty() && is_digit(left.front())))
        return false;
    if (begins(left, typed.substr(1)))  // one too many
        return true;
    if (left.empty())
        return false;
    if (begins(left.substr(1), typed) || begins(left.substr(1), typed.substr(1)))  // missing, or another
        return true;
    return left.size() > 1 && typed.size() > 1 && left[0] == typed[1] && left[1] == typed[0] &&
           begins(left.substr(2), typed.substr(2));
}

}  // namespace

SearchText::SearchText(std::string_view text) {
    const icu::UnicodeString apart = taken_apart(text);
    bool is_in_word = false;
    for (std::int32_t at = 0; at < apart.length(); at = apart.moveIndex32(at, 1)) {
        const UChar32 letter = apart.char32At(at);
        if (is_mark(letter))  // what is left of an accent
            continue;
        const bool counts = u_isalnum(letter) != 0;
        if (counts) {
            letters_ += without_stroke(letter);
            begins_word_.push_back(!is_in_word);
        }
        is_in_word = counts;
    }
}

std::string SearchText::ascii() const {
    std::string plain;
    for (const char32_t letter : letters_)
        if (letter < 128)
            plain += static_cast<char>(letter);
    return plain;
}

SearchText::Place SearchText::place_of(const SearchText& other) const {
    Place best = nowhere;
    for (std::size_t at = letters_.find(other.letters_); at != std::u32string::npos;
         at = letters_.find(other.letters_, at + 1)) {
        if (at == 0)
            return letters_.size() == other.letters_.size() ? all : beginning;
        best = std::min(best, at < begins_word_.size() && begins_word_[at] ? beginning_of_word : in_word);
    }
    return best;
}

bool SearchText::has_word_of(const SearchText& other) const {
    for (std::size_t at = letters_.find(other.letters_); at != std::u32string::npos;
         at = letters_.find(other.letters_, at + 1)) {
        const std::size_t end = at + other.size();
        const bool ends_with_word = end >= letters_.size() || begins_word_[end];
        bool is_in_one = true;
        for (std::size_t next = at + 1; next < end; ++next)
            is_in_one = is_in_one && !begins_word_[next];
        if (is_in_one || ends_with_word)
            return true;
    }
    return false;
}

bool SearchText::nearly_begins_word(const SearchText& other) const {
    if (other.is_empty())
        return true;
    for (std::size_t at = 0; at < letters_.size(); ++at)
        if (begins_word_[at] && begins_nearly(std::u32string_view(letters_).substr(at), other.letters_))
            return true;
    return false;
}

}  // namespace headlight
