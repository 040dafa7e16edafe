#pragma once

#include <string_view>

namespace headlight {

/// The version of the program: "0.2.0".
std::string_view program_version();

}  // namespace headlight
