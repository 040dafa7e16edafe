#pragma once

#include "app/cli/arguments.h"

namespace headlight {

/// `headlight lesson LESSON`: what a lesson says, with its numbers. Returns the exit status; throws Error.
int lesson_command(const CommandUse& use);

}  // namespace headlight
