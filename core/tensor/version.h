#pragma once

#include <string_view>

namespace headlight {

/// The version of the program: "0.2.0".
std::string_view program_version();
/// The year of this version: "2026".
std::string_view program_year();

}  // namespace headlight
