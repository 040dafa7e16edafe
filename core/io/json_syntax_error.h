#pragma once

#include "core/tensor/error.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight {

/// The refusal for text that is not JSON, with line and column. `position` is how many bytes nlohmann's
/// parser had read, `message` its words: "syntax error while parsing value - invalid literal; last read: 'N';
/// expected X".
Error json_syntax_error(std::string_view text, std::size_t position, const std::string& message);

}  // namespace headlight
