#pragma once

#include "core/graph/formula_syntax.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace headlight {

// A formula may go on behind its line `context`, to a line `output`: then nothing else projects what its
// heads find, which these lines name `concatenation`.

/// Whether the line, or one that it repeats, gives this name its value.
bool gives(const FormulaLine& line, std::string_view name);
/// Where the line, or one that it repeats, names this; null where it does not.
const FormulaNode* node_named(const FormulaLine& line, std::string_view name);
/// The formula has a line `output`.
bool says_output(std::span<const FormulaLine> lines);
/// How many lines there are up to `context`, with that one; all lines where none is called so.
std::size_t lines_up_to_context(std::span<const FormulaLine> lines);
/// Throws Error{"formula", "line 2, column 1", expected, got} for an output that no context stands above, and
/// where "concatenation" is named before there is one.
void check_lines_of_output(std::span<const FormulaLine> lines);

}  // namespace headlight
