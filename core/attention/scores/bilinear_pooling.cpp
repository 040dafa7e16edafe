#include "core/attention/composer.h"
#include "core/attention/scores/energy_parameters.h"

namespace headlight {
namespace {

Expression define_bilinear_pooling(Composer& composer) {
    const Activation activation = composer.plan.spec.score.activation;
    const Expression query = composer.let(
        "bilinear_query", activated(activation, composer.projected(composer.query, "W_1")), "act(q W_1)");
    const Expression key = composer.let(
        "bilinear_key", activated(activation, composer.projected(composer.key, "W_2")), "act(k W_2)");
    // v · (a ∘ b) = (v ∘ a) · b: a product of matrices, and no number for each pair and feature.
    const Expression weighted = composer.let("weighted_factors", query * composer.parameter("v"));
    return product_transposed(weighted, key);
}

}  // namespace

ScoreComponent declare_scores_bilinear_pooling() {
    ScoreComponent component;
    component.meaning = "v · (act(q W_1) ∘ act(k W_2)): a bilinear form of low rank (Kim et al. 2017, MLB)";
    component.compares_widths = false;
    component.known_parameters = {
        {"W_1", "[d_q, d_a] per head, shared by the heads", "projects a query to its factors"},
        {"W_2", "[d_k, d_a] per head, shared by the heads", "projects a key to its factors"},
        {"v", "[d_a]", "weighs the products of the factors to one score"},
    };
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index d_a = plan.attention_width;
        list.add("W_1", {plan.head_query_width(), d_a});
        list.add("W_2", {plan.head_key_width(), d_a});
        list.add("v", {d_a});
    };
    component.has_activation = true;
    component.attention_width = given_attention_width;
    component.is_product = true;
    component.declared_stages = {
        made_stage("bilinear_query", "Factors of the queries", {"act(q W₁)", {{"query"}}},
                   {.lights = "scores", .has_features = true}),
        made_stage(
            "bilinear_key", "Factors of the keys", {"act(k W₂)", {keys_of("key")}},
            {.colours_of = "bilinear_query", .lights = "scores", .is_of_keys = true, .has_features = true})};
    component.define = define_bilinear_pooling;
    return component;
}

}  // namespace headlight
