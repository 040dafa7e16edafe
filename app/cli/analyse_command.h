#pragma once

#include "app/cli/arguments.h"

namespace headlight {

/// `headlight analyse FILE`: a row a head, a column a statistic. Returns the exit status; throws Error.
int analyse_command(const CommandUse& use);

}  // namespace headlight
