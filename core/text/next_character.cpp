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

}  // namespace headlight
