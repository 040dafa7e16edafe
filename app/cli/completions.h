#pragma once

#include <string>

namespace headlight {

// What a shell offers behind `headlight` and the tabulator: commands, their options, the words that an option
// or an operand takes, and paths where it takes a file or a folder. From the declarations of the commands.

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace headlight
