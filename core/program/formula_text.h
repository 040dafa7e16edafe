#pragma once

#include "core/graph/program.h"

#include <string>

namespace headlight {

/// The lines of a program as a formula (docs/formula.md): build_formula() makes the same program of them, for
/// names that stand for what the program is given.
std::string formula_text(const Program& program);

}  // namespace headlight
