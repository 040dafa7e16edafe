#pragma once

#include "app/cli/arguments.h"

namespace headlight {

/// `headlight run`: a mechanism or a spec on text or on matrices, every stage written to a file.
int run_command(const CommandUse& use);

}  // namespace headlight
