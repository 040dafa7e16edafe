#pragma once

#include "app/cli/arguments.h"

namespace headlight {

/// `headlight train`: a model learns a task and becomes a folder; what interrupts it leaves a checkpoint
/// there.
int train_command(const CommandUse& use);

}  // namespace headlight
