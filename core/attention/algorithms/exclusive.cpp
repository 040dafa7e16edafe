#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

Expression define_exclusive(Composer& composer) {
    const Expression weights = softmax_of_open(composer, "weights", write_scaled_products(composer));
    const Expression attended =
        composer.let("attended", product(weights, composer.value), "y: the values that each token gets");
    // Each over its own largest number: no product overflows or vanishes, and where y is v the share is 1.
    const auto largest_of = [&](const std::string& name, const Expression& x) {
        return composer.let(name, not_zero(largest_amount(x)), "1 for a row of zeros");
    };
    const Expression largest = largest_of("largest_of_value", composer.value),
                     most = largest_of("largest_attended", attended);
    const Expression own =
        composer.let("value_over_largest", composer.value / largest, "each value over its largest number");
    const Expression got = composer.let("attended_over_largest", attended / most);
    const Expression along =
        composer.let("share_of_sizes", sum_of_columns(got * own) / not_zero(sum_of_columns(own * own)));
    composer.let("own_share", along * (most / largest), "y · v / |v|², v the token’s own value");
    return composer.let("context", most * (got - along * own), "what there is beside the token’s own value");
}

}  // namespace

AlgorithmComponent declare_algorithms_exclusive() {
    AlgorithmComponent component;
    component.meaning = "oᵢ = yᵢ − (yᵢ · vᵢ / |vᵢ|²) vᵢ with y the softmax attention: what a token gets is "
                        "at right angles to its own value (Zhai 2026)";
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "exclusive", "each query has a value of its own, which is left out");
    };
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_scores_stage(),
        declared_weights_stage(),
        declared_attended_stage(),
        made_stage("own_share", "Share of the own value", {"y · v / |v|²"},
                   {.lights = "context", .role = StageRole::row}),
        declared_own_context_stage({"at right angles to the token’s own value",
                                    {{"attended"}, {"value", "and"}},
                                    "− share\n× value\n→"}),
    };
    component.define = define_exclusive;
    return component;
}

}  // namespace headlight
