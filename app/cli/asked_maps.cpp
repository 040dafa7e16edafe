#include "app/cli/asked_maps.h"

namespace headlight {

AskedMaps asked_maps(const Arguments& arguments) {
    if (arguments.has("--with") && arguments.has("--with-text"))
        arguments.refuse("--with-text", "one thing to compare with", "--with beside it");
    if (arguments.value("--with-text").value_or("x").find_first_not_of(" \t\r\n") == std::string::npos)
        arguments.refuse("--with-text", "a text", "an empty one");
    AskedMaps asked{.other = arguments.value("--with"),
                    .other_text = arguments.value("--with-text"),
                    .unit = arguments.word("--units", TokenUnit::token),
                    .weights = {}};
    if (arguments.has("--tokens"))
        asked.spelling = arguments.word("--tokens", TokenSpelling::text);
    if (arguments.has("--weights"))
        asked.weights = arguments.word("--weights", DrawnWeights::raw);
    return asked;
}

}  // namespace headlight
