#include "core/attention/algorithms/gated_image.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

/// Z₁ ∘ (W LN(Z₂) + b): a matrix of the places mixes one half of the features, which multiplies the other.
Expression define_spatial_gating(Composer& composer) {
    const bool has_norm = composer.plan.algorithm().flag("norm");
    const Expression value =
        has_norm ? layer_normalized(composer, "normalized_value", composer.value) : composer.value;
    const Expression weights = composer.let(
        "weights", composer.where_open(composer.matrices_of_heads("W_places"), 0), "the same for every text");
    const Expression mixed = composer.let("attended", product(weights, value), "the mixed half");
    const Expression gate =
        composer.let("place_gate", mixed + transposed(composer.matrices_of_heads("b_places")),
                     "what each feature of the other half is multiplied by");
    return composer.let("context", composer.query * gate, "the one half times the other");
}

}  // namespace

AlgorithmComponent declare_algorithms_spatial_gating() {
    AlgorithmComponent component;
    component.meaning =
        "o = q ∘ (W LN(v) + b), W a learned matrix of the places: one half of the features, mixed over the "
        "places, multiplies the other, and no two tokens are compared (Liu et al. 2021, gMLP)";
    component.options = {flag_option(
        "norm", "Layer normalisation", true,
        "Whether the half that is mixed is normalised first, token by token in each head, as in the paper.")};
    component.known_parameters = {
        {"W_places", "[h n, m]", "how much each place gets of each other one, head below head"},
        {"b_places", "[h, n]", "is added to what each place gets, 1 at first"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_places", {plan.heads * plan.queries, plan.keys});
        list.add("b_places", {plan.heads, plan.queries}, 1.0);
    };
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "spatial_gating", "no query meets a key");
        if (plan.head_query_width() != plan.head_value_width())
            throw Error({"spatial_gating algorithm", "value",
                         "as many features for each head as queries have, " +
                             std::to_string(plan.head_query_width()) + ", for they are multiplied",
                         std::to_string(plan.head_value_width())});
    };
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("normalized_value", "Normalised values",
                   {"each without its mean, over its standard deviation", {keys_of("value")}, "LN\n→"},
                   {.form_of = "value", .lights = "value", .is_of_keys = true}),
        made_stage("weights", "Weights",
                   {"learned, the same for every text", {{"tokens"}}, "by their\nplaces alone\n→"},
                   {.lights = "attended", .role = StageRole::weights, .leaves_out_masked = true}),
        made_stage(
            "attended", "Weighted values",
            {"the sum of each weight times its value",
             {{"weights"},
              keys_of("value", "×"),
              {.stage = "normalized_value", .operator_before = "and", .as_keys = true, .is_optional = true}}},
            {.colours_of = "value", .lights = "place_gate"}),
        made_stage("place_gate", "Gate of the places",
                   {"what each feature of the other half is multiplied by", {{"attended"}}, "+ b\n→"},
                   {.lights = "output"}),
        made_stage("context", "Context", {"", {{"query"}, {"place_gate", "∘"}}, "="},
                   {.colours_of = "query", .lights = "output"})};
    component.define = define_spatial_gating;
    return component;
}

}  // namespace headlight
