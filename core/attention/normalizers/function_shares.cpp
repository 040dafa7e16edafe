#include "core/attention/component.h"
#include "core/attention/defined_rows.h"

namespace headlight {
namespace {

/// s^p of scores that were divided by the largest of their row: the shares are the same, and no power
/// overflows.
Expression define_powers(DefinedRows& rows, const Expression& s) {
    const Expression largest = rows.let("largest_size", largest_amount(s), "of each row");
    return power_of(rows.let("scores_over_largest", s / not_zero(largest)),
                    std::stod(rows.options().word("power")));
}

/// s + 1 of scores from 0 up, 1 / (1 − s) below: as slow as a line, and never 0.
Expression define_stable(const Expression& s) {
    return choose(is_at_least(s, 0), s + 1, 1 / (1 - smaller_of(s, 0)));
}

Expression define_function_shares(DefinedRows& rows) {
    const auto& function = rows.options().word("function");
    const Expression s = rows.open_scores();
    const Expression numbers = rows.let("function_values",
                                        rows.open_only(function == "softplus"    ? softplus_of(s)
                                                       : function == "stablemax" ? define_stable(s)
                                                                                 : define_powers(rows, s)),
                                        "f(score)");
    return numbers / not_zero(rows.let("row_sum", sum_of_columns(numbers), "the sum of each row"));
}

bool takes_powers(const Plan& plan) { return plan.normalizer().word("function") == "power"; }

}  // namespace

NormalizerComponent declare_normalizers_function_shares() {
    NormalizerComponent component;
    component.phrase = "f(score) ÷ its row’s sum";
    component.meaning =
        "f(s) / Σ f(s) with another f than exp: softplus (Gao et al. 2026), s + 1 and 1 / (1 − s), which "
        "grow as a line does (Prieto et al. 2025), or an even power";
    component.options = {
        word_option("function", "Function", {"softplus", "stablemax", "power"},
                    "What takes the place of exp: ln(1 + exp s); s + 1, or 1 / (1 − s) below 0; or sᵖ."),
        word_option("power", "Power p", {"2", "4", "6", "8"},
                    "Of the function “power”: the larger, the more the scores furthest from 0 take."),
    };
    component.orders_scores = takes_powers;
    component.declared_stages = {
        made_stage("function_values", "f(score)", {}, {.lights = "weights", .role = StageRole::scores}),
        made_stage("row_sum", "Row sum", {}, {.lights = "weights", .role = StageRole::row})};
    component.define = define_function_shares;
    return component;
}

}  // namespace headlight
