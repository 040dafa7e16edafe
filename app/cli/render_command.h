#pragma once

#include <string>
#include <vector>

namespace headlight {

/// `headlight render`: `arguments` without the command's own name. Returns the exit status; throws Error for
/// bad input and UsageError (app/cli/arguments.h) for bad usage, which the caller prints.
int render_command(const std::vector<std::string>& arguments);

}  // namespace headlight
