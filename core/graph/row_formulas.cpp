#include "core/graph/row_formulas.h"

#include <cmath>
#include <numbers>

namespace headlight {

Expression not_zero(const Expression& x) { return choose(is_equal(x, 0), 1, x); }

Expression largest_amount(const Expression& x) { return maximum_of_columns(absolute_of(x)); }

Expression over_largest(const Expression& x) { return x / not_zero(largest_amount(x)); }

Expression products_in_order(const Expression& x, const Expression& y) {
    return product_transposed(over_largest(x), y / not_zero(maximum_of_rows(largest_amount(y))));
}

Expression finite_maximum(const Expression& largest) {
    return choose(is_above(largest, minus_infinity()), largest, 0);
}

Expression mean_of_columns(const Expression& x) {
    return sum_of_columns(x) / static_cast<double>(x.extent().columns);
}

Expression mean_of_rows(const Expression& x) { return sum_of_rows(x) / static_cast<double>(x.extent().rows); }

Expression all_rows(const std::vector<Expression>& parts) {
    return parts.size() == 1 ? parts.front() : join_rows(parts);
}

Expression all_columns(const std::vector<Expression>& parts) {
    return parts.size() == 1 ? parts.front() : join_columns(parts);
}

Expression sum_along(AlongAxis axis, const Expression& x) {
    return axis == AlongAxis::rows ? sum_of_rows(x) : sum_of_columns(x);
}

Expression maximum_along(AlongAxis axis, const Expression& x) {
    return axis == AlongAxis::rows ? maximum_of_rows(x) : maximum_of_columns(x);
}

Expression softmax_along(AlongAxis axis, const Expression& x, const LetPart& let) {
    const Expression largest = let("maximum", maximum_along(axis, x));
    const Expression exponentials = let("exponentials", exp_of(x - finite_maximum(largest)));
    return exponentials / not_zero(sum_along(axis, exponentials));
}

Expression exact_gelu_of(const Expression& x) {
    return 0.5 * x * (1 + erf_of(x * (1 / std::numbers::sqrt2)));
}

Expression gelu_of(const Expression& x) {
    return 0.5 * x * (1 + tanh_of(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

}  // namespace headlight
