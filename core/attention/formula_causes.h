#pragma once

#include "core/attention/typed_formula.h"

#include <functional>
#include <span>
#include <string>

namespace headlight {

// Why numbers of a typed formula are not what whoever runs it needs, as far as its lines tell.

/// What in the line of this stage, or in repeated ones that it reads, may have made a number that is not
/// finite, and what helps: "logarithm of 0 or less, in line 2 (log(maximum(x, 1e-9)) is finite)". Empty where
/// nothing is known to.
std::string infinite_by(const TypedFormula& formula, const std::string& stage);

/// The same of the first line, in their order, that has made numbers which are not finite; empty where none
/// has. -inf in a map is what it leaves out. `numbers` has those of a line, none of one that is no tensor.
std::string infinite_first(const TypedFormula& formula,
                           const std::function<std::span<const double>(const std::string& line)>& numbers);

/// The same of all lines, where nobody knows which it was.
std::string infinite_in(const TypedFormula& formula);

/// The first `n` or `m` that other numbers are joined with, as in `/ m`: in a text that grows it is another
/// number at each step. Null where there is none.
const FormulaNode* joined_length(const TypedFormula& formula);

}  // namespace headlight
