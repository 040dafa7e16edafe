#pragma once

#include "core/attention/plan.h"
#include "core/attention/typed_formula.h"
#include "core/graph/program.h"

#include <span>
#include <string>

namespace headlight {

// What lines of a typed formula are refused for once their extents are known.

/// The line that gives a name its value; of what a line adds under a name of its own, "context_maximum", that
/// line, and otherwise that of the context. Null where there is neither.
const FormulaLine* line_giving(std::span<const FormulaLine> lines, const std::string& name);

/// Throws Error{"formula", place of that line, expected, got}.
[[noreturn]] void refuse_line(const TypedFormula& formula, const std::string& name,
                              const std::string& expected, const std::string& got);

/// Throws Error as refuse_line() does for a line of other extents, whose matrices are neither those of the
/// heads nor one for all, and for truths. `hint` is said with what the extents are.
void require_extent(const TypedFormula& formula, const std::string& name, const Expression& x,
                    const Extent& expected, const std::string& hint = {});

/// Why `x` has one column, or features, where pairs were meant, ", for the sum of line 1 is of ..."; empty
/// where nothing is known of it.
std::string rows_alone(const Plan& plan, const TypedFormula& formula, const Expression& x);

/// [h, n, m] and [h, n, d_v], of one head without the first.
Extent extent_of_weights(const Plan& plan);
Extent extent_of_contexts(const Plan& plan);
/// require_extent() for these, which says which of the two a line of the other extents was meant to be, and
/// where a parameter was declared that brought other heads.
void require_weights(const Plan& plan, const TypedFormula& formula, const Expression& weights);
void require_context(const Plan& plan, const TypedFormula& formula, const Expression& context);

/// A line that makes shares of a map, as a softmax does; null where there is none.
const FormulaLine* line_of_shares(const Plan& plan, const TypedFormula& formula, const Program& program);

/// Throws Error for a formula with neither line, at the line that was probably meant to be one.
[[noreturn]] void refuse_without_context(const Plan& plan, const TypedFormula& formula,
                                         const Program& program);

/// Throws Error for a line that is made of the weights, has the extents of a context and is read by no other,
/// of a formula without a context: it is none to look at, but a context under another name.
void require_context_named(const Plan& plan, const TypedFormula& formula, const Program& program);

/// Throws Error for a softmax that is scaled by sqrt(d) where it is the weights, or takes the values at once:
/// the scores were meant.
void require_scores_scaled(const TypedFormula& formula);

}  // namespace headlight
