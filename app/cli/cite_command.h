#pragma once

#include "app/cli/arguments.h"

namespace headlight {

/// `headlight cite [MECHANISM | MODEL]...`: BibTeX of the program and of the papers of mechanisms.
int cite_command(const CommandUse& use);

}  // namespace headlight
