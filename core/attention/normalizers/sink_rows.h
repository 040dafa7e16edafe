#pragma once

#include "core/attention/defined_rows.h"

namespace headlight {

/// The softmax of each row and one more key, which has the score `logit` and no weight in the result.
inline Expression define_with_sink(DefinedRows& rows, const Expression& logit) {
    const Expression largest = rows.let("largest_score", maximum_of_columns(rows.scores), "of each row");
    // A row of no key has no sink either.
    const auto of_open_row = [&](const Expression& x, const Expression& of_empty_row) {
        return rows.may_be_empty ? choose(is_above(largest, minus_infinity()), x, of_empty_row) : x;
    };
    const Expression sink = rows.temperature == 1 ? logit : logit * rows.temperature;
    const Expression most = rows.finite_largest(rows.let(
        "row_maximum", of_open_row(larger_of(largest, sink), minus_infinity()), "of the row and the sink"));
    const Expression exponentials = rows.let(
        "exponentials", exp_of(rows.open_over_temperature(rows.scores - most)), "exp(score − largest)");
    const Expression sum = sum_of_columns(exponentials) + exp_of(logit - rows.over_temperature(most));
    return rows.divided(exponentials,
                        rows.let("row_sum", of_open_row(sum, 0), "the sum of each row and the sink"));
}

}  // namespace headlight
