#pragma once

#include "core/attention/declared_stage.h"
#include "core/graph/formula_syntax.h"

#include <span>
#include <vector>

namespace headlight {

/// What the lines of a formula say of their stages, before there are tokens: a stage for each line that is
/// not repeated, and `weights`, `context` and an output that are said otherwise. Lines behind `context`, of a
/// formula that says the output, are of all heads.
std::vector<DeclaredStage> formula_stages(std::span<const FormulaLine> lines);

}  // namespace headlight
