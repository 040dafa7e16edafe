#pragma once

#include "core/attention/declared_stage.h"
#include "core/attention/defined_rows.h"

namespace headlight {

/// The softmax of each row and one more key, which has the score `sink` and no weight in the result.
inline Expression define_with_sink(DefinedRows& rows, const Expression& sink) {
    const Expression largest = rows.let("largest_score", maximum_of_columns(rows.scores), "of each row");
    // A row of no key has no sink either.
    const auto of_open_row = [&](const Expression& x, const Expression& of_empty_row) {
        return rows.may_be_empty ? choose(is_above(largest, minus_infinity()), x, of_empty_row) : x;
    };
    const Expression most = rows.let(
        "maximum_of_row_and_sink", larger_of(largest, rows.temperature == 1 ? sink : sink * rows.temperature),
        "below which exp stays finite");
    // The stage stands in arithmetic as one number, the line above with both that it is the larger of.
    const Expression row_maximum = rows.finite_largest(
        rows.let("row_maximum", of_open_row(most, minus_infinity()), "of the row and the sink"));
    const Expression exponentials = rows.let(
        "exponentials", exp_of(rows.open_over_temperature(rows.scores - most)), "exp(score − largest)");
    const Expression key_sum = rows.let("key_sum", sum_of_columns(exponentials), "the sum of each row");
    const Expression of_sink =
        rows.let("sink_exponential", of_open_row(exp_of(sink - rows.over_temperature(row_maximum)), 0),
                 "exp(score of the sink − largest)");
    const Expression sum = key_sum + of_sink;
    rows.let("row_sum", sum, "the sum of each row and the sink");
    rows.let("unassigned", rows.divided(of_sink, sum), "the weight of the sink");
    return rows.divided(exponentials, sum);
}

/// What a run says of its exponentials, none of which need be 1.
inline DeclaredStage declared_exponentials_beside_sink() {
    return made_stage(
        "exponentials", "Exponentials", {"exp(score − maximum of row and sink)"},
        {.lights = "weights", .role = StageRole::weights, .is_share = true, .leaves_out_masked = true});
}

}  // namespace headlight
