#pragma once

#include "app/cli/arguments.h"

#include <functional>
#include <string>
#include <vector>

namespace headlight {

// Options of the program itself, without a command.
inline constexpr Flag help_option{"--help", "", "what it can do", "-h"};
inline constexpr Flag version_option{"--version", "", "which version it is", "-V"};
inline constexpr const char* exit_status_help =
    "0, 1 for bad input, 2 for bad usage; of a training that was interrupted 130.";

/// Calls `visit` with the table of each command, in the order of the help; it lives as long as that call.
void for_each_command(const std::function<void(const Command&)>& visit);

/// Whether the first argument is a subcommand (list, run, render, ...), an option that prints and
/// ends, or a slip for one of these: everything that is neither a file nor an option of Qt's own (-platform).
bool is_command_line(const std::vector<std::string>& arguments);

/// Runs it; `arguments` without the program's name. Returns the exit status: 0, 1 for bad input, 2 for bad
/// usage. Errors are one line on stderr. No partial output file is left.
int run_command_line(const std::vector<std::string>& arguments);

}  // namespace headlight
