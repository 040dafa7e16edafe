#pragma once

#include "app/cli/arguments.h"

namespace headlight {

/// `headlight list [--json]`: mechanisms and their knobs, the spec's words, parameters, stages, colour maps;
/// with --search the mechanisms that a query finds, with --timeline and --tree a picture of them.
int list_command(const CommandUse& use);

}  // namespace headlight
