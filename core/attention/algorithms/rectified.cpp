#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

constexpr double added_square = 1e-8;  // under the root, as the authors’ code has it

bool is_gated(const Plan& plan) { return plan.algorithm().flag("gated"); }

/// relu in the place of the softmax, and a norm of what all heads find in the place of the division (Zhang,
/// Titov and Sennrich 2021).
Expression define_rectified(Composer& composer) {
    const Expression scores = write_scaled_products(composer);
    const Expression weights =
        composer.let("weights", composer.where_open(relu_of(scores), 0), "scores above 0, and 0 elsewhere");
    const Expression attended =
        composer.let("attended", product(weights, composer.value), "the values that each query gets");
    const Expression found = composer.let("found_by_all", join_heads(attended), "the heads side by side");
    const auto width = static_cast<double>(composer.plan.context_width());
    // Squares of large numbers overflow; of parts of the largest they do not.
    const Expression largest = composer.let("largest_found", larger_of(largest_amount(found), 1),
                                            "the largest of each row, 1 at least");
    const Expression parts = composer.let("parts_found", found / largest);
    const Expression normal = composer.let(
        "normalized_values",
        parts / root_of(sum_of_columns(parts * parts) / width + added_square / largest / largest) *
            composer.parameter("g_rectified"),
        "over the root of the mean square of all heads together");
    if (!is_gated(composer.plan))
        return composer.let("context", split_heads(normal, composer.heads), "what each head has of it");
    const Expression gate = composer.let("value_gate", sigmoid_of(found * composer.parameter("w_gate")),
                                         "what each number is multiplied by");
    return composer.let("context", split_heads(normal * gate, composer.heads), "every number times its gate");
}

}  // namespace

AlgorithmComponent declare_algorithms_rectified() {
    AlgorithmComponent component;
    component.meaning =
        "o = g ∘ z / RMS(z) ∘ σ(w ∘ z), z = Σ max(0, q · k / √d) v of all heads side by side: no softmax, "
        "exact zeros, rows that sum to anything, and a norm that keeps the outputs in bounds (Zhang et al. "
        "2021, ReLA)";
    component.options = {
        flag_option("gated", "Gate", true,
                    "Whether every number is multiplied by a sigmoid of itself before the norm, times a "
                    "learned number: the better one of the paper’s two forms.")};
    component.known_parameters = {
        {"g_rectified", "[h d_v]", "what each feature is multiplied by behind the norm"},
        {"w_gate", "[h d_v]", "what each feature is multiplied by before its gate"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("g_rectified", {plan.context_width()}, 1.0);
        if (is_gated(plan))
            list.add("w_gate", {plan.context_width()});
    };
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_scores_stage(),
        declared_weights_stage({"scores above 0, and 0 elsewhere", {{"scores"}}, "relu\n→"}),
        declared_attended_stage(),
        made_stage(
            "normalized_values", "Normalised values",
            {"over the root of the mean square of all heads together", {{"attended"}}, "÷ RMS, × g\n→"},
            {.colours_of = "value", .lights = "context"}),
        made_stage("value_gate", "Gates of the values",
                   {"a sigmoid of each number before the norm", {{"attended"}}, "× w, σ\n→"},
                   {.lights = "context", .is_share = true}),
        declared_own_context_stage({"", {{"normalized_values"}, optional_stage("value_gate", "∘")}, "="})};
    component.define = define_rectified;
    return component;
}

}  // namespace headlight
