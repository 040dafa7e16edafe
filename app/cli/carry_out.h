#pragma once

#include "app/cli/arguments.h"

namespace headlight {

/// Prints the help of a command where it is asked for, else lets `work` do it, within the memory that was
/// given, with standard input in place of "-". Returns the exit status. Throws UsageError, and what `work`
/// throws.
int carry_out(const Command& command, const std::vector<std::string>& given, int (*work)(const Arguments&));

}  // namespace headlight
