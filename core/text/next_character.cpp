#include "core/text/next_character.h"

#include <unicode/utf8.h>

namespace headlight {

std::int32_t next_character(std::string_view text, std::int32_t& next) {
    std::int32_t character = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"  // inside ICU's macro
    U8_NEXT(text.data(), next, static_cast<std::int32_t>(text.size()), character);
#pragma GCC diagnostic pop
    return character;
}

void append_character(std::string& text, std::uint32_t character) {
    char bytes[U8_MAX_LENGTH];
    std::int32_t size = 0;
    const auto valid = static_cast<UChar32>(U_IS_UNICODE_CHAR(character) ? character : 0xFFFDu);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"  // inside ICU's macro
#pragma GCC diagnostic ignored "-Wsign-conversion"
    U8_APPEND_UNSAFE(bytes, size, valid);
#pragma GCC diagnostic pop
    text.append(bytes, static_cast<std::size_t>(size));
}

}  // namespace headlight
