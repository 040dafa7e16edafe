#pragma once

#include "app/cli/arguments.h"

namespace headlight {

/// `headlight render`: a figure of a file. Returns the exit status; throws Error for bad input and UsageError
/// for bad usage, which the caller prints.
int render_command(const CommandUse& use);

}  // namespace headlight
