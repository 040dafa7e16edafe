#pragma once

#include "app/cli/arguments.h"

namespace headlight {

/// `headlight cite [MECHANISM]`: BibTeX of the program and of a mechanism's papers.
int cite_command(const CommandUse& use);

}  // namespace headlight
