#include "core/attention/positions/product_scores.h"
#include "core/attention/rotary.h"
#include "core/attention/turned_pairs.h"

namespace headlight {
namespace {

bool turns_products(const Plan& plan) { return plan.position().flag("products"); }

PairTurns turns_of(const Plan& plan, Index width) {
    return {.frequencies = rotary_frequencies(width, plan.position().number("base")),
            .is_interleaved = has_neighbouring_pairs(plan.position())};
}

void check_rotary_values(const Plan& plan) {
    if (turns_products(plan))
        require_keys_of_query_width(plan, "rotary_values");
}

Expression define_turn_of_products(Composer& composer, const std::string& name, const Expression& x, bool) {
    return turns_products(composer.plan)
               ? turned_by(composer, turns_of(composer.plan, x.extent().columns), name, x)
               : x;
}

/// R₋ᵢ Σⱼ A_ij Rⱼ vⱼ: what comes from far away arrives turned by how far.
Expression define_turned_context(Composer& composer, const Expression& weights, const Expression&) {
    PairTurns turns = turns_of(composer.plan, composer.value.extent().columns);
    turns.constants = "value_";
    const Expression values = turned_by(composer, turns, "value", composer.value);
    const Expression carried =
        composer.let("turned_context", product(weights, values), "the turned values that each query gets");
    turns.constants = "context_";
    for (double& frequency : turns.frequencies)
        frequency = -frequency;
    return turned_by(composer, turns, "context", carried);
}

}  // namespace

PositionComponent declare_positions_rotary_values() {
    PositionComponent component;
    component.meaning =
        "o_i = R₋ᵢ Σ_j A_ij R_j v_j = Σ_j A_ij R_(j−i) v_j: values are turned by their place and the context "
        "back by the query’s, so that it knows from how far each came (DeepSeek-V4, 2026)";
    component.options = {flag_option("products", "Queries and keys too", true,
                                     "Whether queries and keys are turned as in RoPE, or the values alone."),
                         pairs_option(), base_option()};
    component.check = check_rotary_values;
    component.paired = {{.of = "features of a head’s values",
                         .why = "features are turned in pairs",
                         .count = [](const Plan& plan) { return plan.head_value_width(); }},
                        {.why = "features are turned in pairs", .count = [](const Plan& plan) {
                             return turns_products(plan) ? plan.head_query_width() : 0;
                         }}};
    component.stages = add_rotated_stages;
    component.turns_vectors = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_rotated_query(), declared_rotated_key(),
        made_stage("rotated_value", "Rotated values", {"", {keys_of("value")}, "turn by place\n→"},
                   {.colours_of = "value", .lights = "context", .is_of_keys = true, .has_features = true}),
        made_stage("turned_context", "Context, not yet turned back",
                   {"", {{"weights"}, keys_of("rotated_value", "×")}, "="},
                   {.colours_of = "value", .lights = "context", .has_features = true}),
        made_stage("context", "Context", {"", {{"turned_context"}}, "turn back by\nthe query’s place\n→"},
                   {.colours_of = "value", .lights = "output"})};
    component.define_turn = define_turn_of_products;
    component.define_context = define_turned_context;
    return component;
}

}  // namespace headlight
