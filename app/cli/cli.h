#pragma once

#include <string>
#include <vector>

namespace headlight {

/// Whether the first argument is a subcommand (list, run, render, attend, train), an option that prints and
/// ends, or a slip for one of these: everything that is neither a file nor an option of Qt's own (-platform).
bool is_command_line(const std::vector<std::string>& arguments);

/// Runs it; `arguments` without the program's name. Returns the exit status: 0, 1 for bad input, 2 for bad
/// usage. Errors are one line on stderr. No partial output file is left.
int run_command_line(const std::vector<std::string>& arguments);

}  // namespace headlight
