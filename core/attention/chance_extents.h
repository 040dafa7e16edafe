#pragma once

#include "core/attention/plan.h"
#include "core/attention/typed_formula.h"

#include <vector>

namespace headlight {

// Three tokens of three numbers each: q @ k has extents that meet, and is no attention. A formula is one for
// texts of any length, unless it says in digits that it is for one of this length.

/// Plans of the same attention for a few other numbers of tokens, where no number of tokens is a width of the
/// plan. None where there is nothing to fear: the numbers of tokens are no widths here either, or the formula
/// has extents in digits that fit them, such as A[4, 8]; W[d, 2] of four tokens has none. Nothing in them can
/// run; a formula whose extents meet by chance alone is refused in each.
std::vector<Plan> plans_of_other_lengths(const Plan& plan, const TypedFormula& formula);

}  // namespace headlight
