#pragma once

#include "core/graph/operation.h"

#include <functional>
#include <vector>

namespace headlight {

// What formulas of components and those that people type are made of alike: a few operations, and the cases
// in which rows are zeros or minus infinity alone.

/// `x`, and 1 in the place of 0: what is divided by a sum that may be none.
Expression not_zero(const Expression& x);
/// The largest number of each row, whatever its sign.
Expression largest_amount(const Expression& x);
/// x over that of its row, so that no square or product overflows; a row of zeros stays.
Expression over_largest(const Expression& x);
/// Products [.., rows of x, rows of y] that neither vanish nor overflow, and have in each row the order of x
/// yᵀ: each row of x over its largest number, y over that of all its rows.
Expression products_in_order(const Expression& x, const Expression& y);
/// `largest`, and 0 in the place of minus infinity: what is taken from exponents, so that no power overflows.
Expression finite_maximum(const Expression& largest);

/// The mean of the numbers of each row, in one column, or of each column, in one row.
Expression mean_of_columns(const Expression& x);
Expression mean_of_rows(const Expression& x);

/// The parts one below another, or side by side; the only one is itself.
Expression all_rows(const std::vector<Expression>& parts);
Expression all_columns(const std::vector<Expression>& parts);

/// Along the columns of each row, or along the rows of each column.
Expression sum_along(AlongAxis axis, const Expression& x);
Expression maximum_along(AlongAxis axis, const Expression& x);

/// Names a part of a formula, so that it has a line of its own: of softmax its "maximum", which two others
/// read.
using LetPart = std::function<Expression(const char* part, const Expression& value)>;
/// Softmax by its parts "maximum" and "exponentials"; 0 where there is minus infinity alone.
Expression softmax_along(AlongAxis axis, const Expression& x, const LetPart& let);

/// x Φ(x), Φ the share of a normal variable below x (Hendrycks and Gimpel 2016).
Expression exact_gelu_of(const Expression& x);
/// The same by the hyperbolic tangent, nearly.
Expression gelu_of(const Expression& x);

}  // namespace headlight
