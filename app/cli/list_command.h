#pragma once

#include "app/cli/arguments.h"

namespace headlight {

/// `headlight list [--json]`: mechanisms and their knobs, the spec's words, parameters, stages, colour maps.
int list_command(const CommandUse& use);

}  // namespace headlight
