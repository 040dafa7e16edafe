#include "core/text/script_name.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>

namespace headlight {

std::string script_name(char32_t character) {
    UErrorCode error = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(static_cast<UChar32>(character), &error);
    if (U_FAILURE(error) || script == USCRIPT_COMMON || script == USCRIPT_INHERITED ||
        script == USCRIPT_UNKNOWN)
        return {};
    std::string name = uscript_getName(script);
    std::ranges::replace(name, '_', ' ');
    return name;
}

bool is_emoji(char32_t character) {
    const auto code = static_cast<UChar32>(character);
    return u_hasBinaryProperty(code, UCHAR_EMOJI_PRESENTATION) != 0 ||
           u_hasBinaryProperty(code, UCHAR_EXTENDED_PICTOGRAPHIC) != 0;
}

}  // namespace headlight
