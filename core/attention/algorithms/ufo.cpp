#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

/// Each column of `x` [h, m, d] over its largest number, or all numbers over the largest of them; with what
/// they were divided by.
struct ScaledNumbers {
    Expression numbers, divisor;
};
ScaledNumbers write_scaled(Composer& composer, const std::string& name, const Expression& x,
                           const Expression& largest) {
    const Expression divisor = composer.let(name + "_divisor", not_zero(largest), "the largest");
    return {composer.let("scaled_" + name, x / divisor), divisor};
}

/// The rows of Kᵀ V are divided by their lengths, which only the values of all tokens together tell; so the
/// map is one, but it depends on the values. Neither changes when a feature of the keys is scaled, or all
/// values are.
Expression define_ufo(Composer& composer) {
    const auto seen = [&](const Expression& x) { return of_seen_keys(composer, x); };
    const ScaledNumbers keys =
        write_scaled(composer, "keys", seen(composer.key), maximum_of_rows(absolute_of(seen(composer.key))));
    const ScaledNumbers values = write_scaled(composer, "values", seen(composer.value),
                                              maximum_of_rows(largest_amount(seen(composer.value))));
    const Expression gamma = composer.parameter_of_heads("gamma_x");
    const Expression summary = composer.let("key_values", product(transposed(keys.numbers), values.numbers),
                                            "Kᵀ V, a row for each feature of the keys");
    const Expression largest = composer.let("key_values_largest", largest_amount(summary));
    const Expression over_largest_row = composer.let("key_values_over_largest", summary / not_zero(largest));
    const Expression length =
        composer.let("key_values_length", root_of(sum_of_columns(over_largest_row * over_largest_row)),
                     "lengths of the rows, over the largest number of each");
    const Expression unit = composer.let("unit_key_values", gamma * over_largest_row / not_zero(length),
                                         "XNorm(Kᵀ V): rows of length γ");
    const Expression query =
        composer.let("xnorm_query", gamma * direction_of(composer, "query", composer.query), "XNorm(q)");
    // What divides the rows of Kᵀ V divides the keys instead; a row of zeros gives nothing.
    const Expression shrink =
        composer.let("key_values_shrink", choose(is_above(length, 0), gamma / not_zero(largest * length), 0),
                     "γ over the lengths");
    const Expression divided =
        composer.let("divided_key", keys.numbers * transposed(shrink), "keys over those lengths");
    composer.let("weights", composer.where_open(product_transposed(query, divided), 0) / values.divisor,
                 "what each query gets of each value");
    return composer.let("context", product(query, unit), "what each query reads");
}

}  // namespace

AlgorithmComponent declare_algorithms_ufo() {
    AlgorithmComponent component;
    component.meaning =
        "o = XNorm(q) XNorm(Kᵀ V), XNorm(x) = γ x / |x| of each row: linear attention that lengths keep in "
        "bounds where a softmax would (Song 2021)";
    component.known_parameters = {
        {"gamma_x", "[h]", "the length that queries and the rows of Kᵀ V are given in each head"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("gamma_x", {plan.heads}, 1.0);
    };
    component.needs_one_end = true;
    component.declared_stages = {
        made_stage("xnorm_query", "Queries of one length",
                   {"XNorm(q) = γ q / |q|", {{"query"}}, "÷ |q|, × γ\n→"},
                   {.form_of = "query", .lights = "query"}),
        made_stage("unit_key_values", "Summary of keys and values",
                   {"XNorm(Kᵀ V): a row for each feature of the keys",
                    {{.stage = "key", .transposed = true, .as_keys = true}, keys_of("value", "×")},
                    "÷ length\nof each row\n→"},
                   {.lights = "output", .is_of_features = true, .has_features = true}),
        declared_weights_stage({"what each query gets of each value",
                                {{"xnorm_query"}, times_keys_of("key")},
                                "÷ lengths\nof Kᵀ V\n→"}),
        declared_own_context_stage({"", {{"xnorm_query"}, {"unit_key_values", "×"}}, "="})};
    component.define = define_ufo;
    return component;
}

}  // namespace headlight
