#pragma once

#include <string_view>

namespace headlight {

/// What a special token of a model stands for: "the end of a text" for "</s>". Empty for every other token.
std::string_view sign_meaning(std::string_view token);

}  // namespace headlight
