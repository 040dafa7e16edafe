#include "core/attention/component.h"
#include "core/attention/defined_rows.h"

namespace headlight {
namespace {

const std::string& row_norm_by(const Plan& plan) { return plan.normalizer().word("by"); }

/// Rows whose numbers that count have the mean 0 and the variance 1.
Expression define_deviations(DefinedRows& rows) {
    constexpr double added_variance = 1e-5;  // as layer normalisation adds it
    const Expression count = rows.key_counts(), largest_score = rows.row_maximum();
    // Large scores that differ by little keep their differences.
    const Expression below =
        rows.open_only(rows.let("below_largest", rows.open_over_temperature(rows.scores - largest_score),
                                "scores less the largest of the row"));
    const Expression mean_below =
        rows.let("mean_below_largest", sum_of_columns(below) / count, "the mean of each row");
    rows.let("row_mean", rows.over_temperature(largest_score) + mean_below, "the mean of the scores");
    const Expression centred =
        rows.let("centred_scores", rows.open_only(below - mean_below), "each row without its mean");
    // Squares of large numbers overflow; of parts of the largest they do not.
    const Expression largest =
        rows.let("largest_distance", larger_of(largest_amount(centred), 1), "of each row, 1 at least");
    const Expression parts = rows.let("parts_of_largest", centred / largest);
    const Expression deviation =
        root_of(sum_of_columns(parts * parts) / count + added_variance / largest / largest);
    return parts / rows.let("row_divisor", deviation, "of the parts of each row");
}

Expression define_row_norm(DefinedRows& rows) {
    const std::string& by = row_norm_by(rows.composer.plan);
    if (by == "deviation")
        return define_deviations(rows);
    const Expression s = rows.open_scores();
    if (by == "count") {
        const Expression root = root_of(rows.key_counts());  // one number where every row sees every key
        return s / rows.let("row_divisor", rows.has_forbidden ? root : rows.zero_column() + root,
                            "the root of the number of keys");
    }
    const Expression parts = rows.let(
        "parts_of_largest", s / not_zero(rows.let("largest_size", largest_amount(s), "of each row")));
    if (by == "length")
        return parts / not_zero(rows.let("row_divisor", root_of(sum_of_columns(parts * parts)),
                                         "the length of the parts of each row"));
    const Expression sum = rows.let("row_divisor", sum_of_columns(parts), "the sum of the parts of each row");
    return choose(is_equal(sum, 0), 0, parts / not_zero(sum));
}

}  // namespace

NormalizerComponent declare_normalizers_row_norm() {
    NormalizerComponent component;
    component.phrase = "scores ÷ a number of their row";
    component.meaning =
        "scores without an exponential, over a number of their row: (s − mean) / deviation (Richter and "
        "Wattenhofer 2020), s over the root of the sum of squares, over the root of the number of keys, or "
        "over the plain sum; negative ones stay negative";
    component.options = {
        word_option("by", "Divided by", {"deviation", "length", "count", "sum"},
                    "deviation: the mean is taken off first, so that every row has mean 0 and variance 1; "
                    "length: the root of the sum of squares; count: the root of the number of keys; sum: the "
                    "plain sum, which may be next to 0.")};
    component.gives_shares = false;
    component.orders_scores = [](const Plan& plan) {
        return row_norm_by(plan) == "sum" || row_norm_by(plan) == "length";
    };
    component.declared_stages = {
        made_stage("row_mean", "Mean of the row", {}, {.lights = "weights", .role = StageRole::row}),
        made_stage("centred_scores", "Scores without their mean", {},
                   {.lights = "weights", .role = StageRole::scores}),
        made_stage("row_divisor", "What the row is divided by", {},
                   {.lights = "weights", .role = StageRole::row})};
    component.define = define_row_norm;
    return component;
}

}  // namespace headlight
