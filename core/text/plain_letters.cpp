#include "core/text/plain_letters.h"

#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <cstdint>

namespace headlight {
namespace {

icu::UnicodeString from_utf8(std::string_view word) {
    return icu::UnicodeString::fromUTF8({word.data(), static_cast<std::int32_t>(word.size())});
}

std::string to_utf8(const icu::UnicodeString& text) {
    std::string bytes;
    return text.toUTF8String(bytes);
}

/// Composed (NFC) or taken apart (NFD), as `form` does it; the text itself should ICU lack its data.
icu::UnicodeString normalized(const icu::UnicodeString& text, const icu::Normalizer2* (*form)(UErrorCode&)) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* normalizer = form(status);
    icu::UnicodeString result = U_SUCCESS(status) ? normalizer->normalize(text, status) : text;
    return U_SUCCESS(status) ? result : text;
}

bool is_latin(UChar32 letter) {
    UErrorCode status = U_ZERO_ERROR;
    return uscript_getScript(letter, &status) == USCRIPT_LATIN;
}

}  // namespace

std::string plain_case(std::string_view word) {
    icu::UnicodeString text = normalized(from_utf8(word), icu::Normalizer2::getNFCInstance);
    text.toLower(icu::Locale::getRoot());
    for (const char16_t apostrophe : u"\u2018\u2019\u02BC\uFF07")
        if (apostrophe != 0)
            text.findAndReplace(icu::UnicodeString(apostrophe), u"'");
    return to_utf8(text);
}

std::string without_marks(std::string_view word) {
    const icu::UnicodeString text = normalized(from_utf8(word), icu::Normalizer2::getNFDInstance);
    icu::UnicodeString letters;
    bool is_on_latin = false;
    for (std::int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
        const UChar32 letter = text.char32At(at);
        const bool is_mark = u_charType(letter) == U_NON_SPACING_MARK;
        if (!is_mark)
            is_on_latin = is_latin(letter);
        if (!is_mark || !is_on_latin)
            letters.append(letter);
    }
    return to_utf8(normalized(letters, icu::Normalizer2::getNFCInstance));
}

}  // namespace headlight
