#pragma once

#include "core/attention/typed_formula.h"
#include "core/graph/program.h"

#include <optional>
#include <string>

namespace headlight {

// A formula with a line `weights` beside a context that does not read it: a map that nothing was found by.

/// By what the context takes `values`, where its line says so at once, as `other @ v` does, reads no weights,
/// and where these are no other view of that map; nothing elsewhere.
std::optional<Expression> map_beside_weights(const Program& program, const std::string& values);

/// Throws Error at the context's line where the map has other numbers than the weights. Those that the
/// program is given are any that a run may have, by which alone two formulas of one map can be told from two
/// maps.
void require_map_of_weights(const TypedFormula& formula, Program program, const Expression& map);

}  // namespace headlight
