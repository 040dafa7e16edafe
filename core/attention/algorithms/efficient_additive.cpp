#include "core/attention/algorithms/global_vectors.h"

namespace headlight {
namespace {

/// One global query, a sum of all by coefficients of one length, times what each token holds (Shaker et al.
/// 2023, as their code has it, each head by itself).
Expression define_efficient_additive(Composer& composer) {
    const Expression query = direction_of(composer, "unit_query", composer.query);
    const Expression value = direction_of(composer, "unit_value", composer.value);
    const Expression seen = of_seen_keys(composer, query);
    const Expression numbers =
        composer.let("query_numbers", product_transposed(composer.parameter_of_heads("w_global"), seen),
                     "a number of each token");
    const Expression coefficients = direction_of(composer, "query_numbers", numbers);
    const Expression global =
        composer.let("global_query", product(coefficients, seen), "the sum by these coefficients");
    write_weights_of_all(composer, coefficients);
    const Expression met = composer.let("queried_values", global * value, "the global query ∘ each value");
    const Expression mixed =
        composer.let("transformed_values", composer.projected(join_heads(met), "W_mixed", "b_mixed"),
                     "all heads together");
    return composer.let("context", split_heads(mixed, composer.heads) + query, "beside each token’s query");
}

}  // namespace

AlgorithmComponent declare_algorithms_efficient_additive() {
    AlgorithmComponent component;
    component.meaning =
        "g = Σ a q̂, a = (w · q̂) / |w · q̂| over the tokens, o = (g ∘ v̂) W + b + q̂, q̂ = q / |q|, v̂ = v / "
        "|v|: one global query, which a learned vector makes of all, multiplies what each token holds "
        "(SwiftFormer, Shaker et al. 2023)";
    component.known_parameters = {
        {"w_global", "[h d]", "asks each query for its part in the global query"},
        {"W_mixed", "[h d, h d]", "changes what the global query has multiplied, all heads together"},
        {"b_mixed", "[h d]", "is added to it"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.heads * plan.head_query_width();
        list.add("w_global", {width});
        list.add_with_bias("W_mixed", {plan.context_width(), width});
    };
    component.check = [](const Plan& plan) { check_global_vectors(plan, "efficient_additive"); };
    component.needs_one_end = true;
    component.changes_context = always;
    DeclaredStage weights = declared_weights_of_all("query_numbers_direction", "the global query");
    weights.subtitle = "the coefficients of the global query, the same for every query";
    weights.is_share = false;
    component.declared_stages = {
        made_stage("unit_query_direction", "Directions of the queries",
                   {"each divided by its length", {{"query"}}, "÷ length\n→"},
                   {.form_of = "query", .lights = "query"}),
        made_stage("unit_value_direction", "Directions of the values",
                   {"each divided by its length", {keys_of("value")}, "÷ length\n→"},
                   {.form_of = "value", .lights = "value", .is_of_keys = true}),
        made_stage("query_numbers_direction", "Coefficients of the queries",
                   {"their squares sum to 1", {{"unit_query_direction"}}, "× w,\n÷ length\n→"},
                   {.lights = "global_query", .is_of_features = true}),
        made_stage("global_query", "Global query",
                   {"the sum of the queries by their coefficients",
                    {{"query_numbers_direction"}, {"unit_query_direction", "×"}},
                    "="},
                   {.colours_of = "query", .lights = "output", .is_of_features = true}),
        weights,
        made_stage("queried_values", "Values with the global query",
                   {"the global query times each value, feature by feature",
                    {{"global_query"}, keys_of("unit_value_direction", "∘")}},
                   {.colours_of = "value", .lights = "output", .is_of_keys = true}),
        declared_own_context_stage(
            {"", {{"queried_values"}, {"unit_query_direction", "and"}}, "× W + b,\n+ query\n→"})};
    component.define = define_efficient_additive;
    return component;
}

}  // namespace headlight
