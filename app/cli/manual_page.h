#pragma once

#include <string>

namespace headlight {

/// headlight(1) in the language of man: the commands and options as their --help has them.
std::string manual_page();

}  // namespace headlight
