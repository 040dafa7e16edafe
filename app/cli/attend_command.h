#pragma once

#include "app/cli/arguments.h"

namespace headlight {

/// `headlight attend`: a trained model answers a text, every stage of every place that attends written to a
/// file.
int attend_command(const CommandUse& use);

}  // namespace headlight
