#include "core/text/writing.h"

#include "core/text/split.h"

#include <unicode/ubidi.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace headlight {
namespace {

struct CloseBidi {
    void operator()(UBiDi* bidi) const { ubidi_close(bidi); }
};

bool is_sign_of_tokenizer(std::string_view word) {
    return word.size() > 2 &&
           ((word.front() == '[' && word.back() == ']') || (word.front() == '<' && word.back() == '>'));
}

/// Where the first character that has a direction of its own lies; 0 where none has.
std::int32_t first_strong(const icu::UnicodeString& word) {
    for (std::int32_t at = 0; at < word.length(); at = word.moveIndex32(at, 1))
        switch (u_charDirection(word.char32At(at))) {
        case U_LEFT_TO_RIGHT:
        case U_RIGHT_TO_LEFT:
        case U_RIGHT_TO_LEFT_ARABIC:
            return at;
        default:
            break;
        }
    return 0;
}

bool has_letters_from_right(const icu::UnicodeString& text) {
    for (std::int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
        const UCharDirection direction = u_charDirection(text.char32At(at));
        if (direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC)
            return true;
    }
    return false;
}

}  // namespace

bool begins_with_mark(std::string_view text) {
    constexpr UChar32 non_joiner = 0x200C, joiner = 0x200D;
    if (text.empty())
        return false;
    const UChar32 first = icu::UnicodeString::fromUTF8(text).char32At(0);
    return first == joiner || first == non_joiner || (U_GET_GC_MASK(first) & U_GC_M_MASK) != 0;
}

bool is_of_emoji(std::string_view text) {
    constexpr UChar32 joiner = 0x200D, coloured = 0xFE0F, first_tag = 0xE0020, last_tag = 0xE007F;
    bool has_any = false;
    const icu::UnicodeString characters = icu::UnicodeString::fromUTF8(text);
    for (std::int32_t at = 0; at < characters.length(); at = characters.moveIndex32(at, 1)) {
        const UChar32 character = characters.char32At(at);
        const bool is_joined = character == joiner || character == coloured ||
                               (character >= first_tag && character <= last_tag) ||
                               u_hasBinaryProperty(character, UCHAR_EMOJI_MODIFIER);
        const bool is_coloured_sign =
            characters.char32At(characters.moveIndex32(at, 1)) == coloured && character > 0x7F;
        if (!is_joined && !is_coloured_sign && !u_hasBinaryProperty(character, UCHAR_EMOJI_PRESENTATION))
            return false;
        has_any |= !is_joined;
    }
    return has_any;
}

std::vector<std::string> turned_parts(std::string_view text) {
    if (std::ranges::all_of(text, [](char byte) { return static_cast<unsigned char>(byte) < 0x80; }) ||
        has_letters_from_right(icu::UnicodeString::fromUTF8(text)))
        return {std::string(text)};
    std::vector<std::string> parts;
    bool goes_on = false;
    for (const std::string_view character : graphemes(text)) {
        const bool is_emoji = is_of_emoji(character);
        if (goes_on && !is_emoji)
            parts.back() += character;
        else
            parts.emplace_back(character);
        goes_on = !is_emoji;
    }
    return parts;
}

WritingDirection writing_direction(std::span<const std::string> words) {
    WritingDirection direction;
    icu::UnicodeString text;
    std::vector<std::int32_t> places;
    std::ptrdiff_t from_right = 0;  // more words than from left
    std::optional<bool> begins_from_right;
    for (const std::string& word : words) {
        const auto written = icu::UnicodeString::fromUTF8(word);
        const std::int32_t strong = first_strong(written);
        places.push_back(text.length() + strong);
        if (!written.isEmpty() && !is_sign_of_tokenizer(word)) {
            const UCharDirection own = u_charDirection(written.char32At(strong));
            const bool is_from_right = own == U_RIGHT_TO_LEFT || own == U_RIGHT_TO_LEFT_ARABIC;
            if (is_from_right || own == U_LEFT_TO_RIGHT) {
                from_right += is_from_right ? 1 : -1;
                begins_from_right = begins_from_right.value_or(is_from_right);
            }
        }
        text.append(written).append(u' ');
    }
    direction.from_right = from_right > 0 || (from_right == 0 && begins_from_right.value_or(false));
    const auto of_all = static_cast<std::uint8_t>(direction.from_right);
    direction.levels.assign(words.size(), of_all);
    UErrorCode error = U_ZERO_ERROR;
    const std::unique_ptr<UBiDi, CloseBidi> bidi(ubidi_open());
    ubidi_setPara(bidi.get(), text.getBuffer(), text.length(), of_all, nullptr, &error);
    const UBiDiLevel* levels = ubidi_getLevels(bidi.get(), &error);
    if (U_SUCCESS(error))
        std::ranges::transform(places, direction.levels.begin(), [&](std::int32_t at) { return levels[at]; });
    return direction;
}

std::vector<std::size_t> order_from_left(std::span<const std::uint8_t> levels) {
    std::vector<std::int32_t> order(levels.size());
    ubidi_reorderVisual(levels.data(), static_cast<std::int32_t>(levels.size()), order.data());
    return {order.begin(), order.end()};
}

}  // namespace headlight
