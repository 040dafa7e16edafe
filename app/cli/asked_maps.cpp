#include "app/cli/asked_maps.h"

namespace headlight {

AskedMaps asked_maps(const Arguments& arguments) {
    if (arguments.has("--with") && arguments.has("--with-text"))
        arguments.refuse("--with-text", "one thing to compare with", "--with beside it");
    return {.other = arguments.value("--with"),
            .other_text = arguments.value("--with-text"),
            .unit = arguments.word("--units", TokenUnit::token)};
}

}  // namespace headlight
