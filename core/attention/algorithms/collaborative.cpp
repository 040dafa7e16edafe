#include "core/attention/algorithms/softmax_heads.h"

namespace headlight {
namespace {

/// All heads look through the same queries and keys, each with a weight of its own on every feature.
Expression define_collaborative(Composer& composer) {
    const Expression mixing = composer.let("mixing", composer.matrices_of_heads("M_heads"),
                                           "how much each feature counts for the head");
    const Expression query = composer.let("mixed_query", join_heads(composer.query) * mixing,
                                          "q times the weights of the features");
    const Expression scores =
        composer.let("scores", scaled_products(composer, query, join_heads(composer.key)), "Σ m q k / √d");
    return write_attended_values(composer, softmax_of_open(composer, "weights", scores));
}

}  // namespace

AlgorithmComponent declare_algorithms_collaborative() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(Q diag(mₕ) Kᵀ / √d): the heads share one projection of queries and one of keys, and each "
        "weighs their features by a learned mixing vector (Cordonnier, Loukas and Jaggi 2020)";
    component.known_parameters = {
        {"M_heads", "[h, d_q]", "how much each feature of the shared queries and keys counts for each head"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("M_heads", {plan.heads, plan.query_width});
    };
    component.check = [](const Plan& plan) {
        require_own_heads(plan, "collaborative algorithm", "all heads look through all features of the keys");
    };
    component.takes_any_mask = true;
    component.declared_stages = {
        made_stage("mixed_query", "Mixed queries",
                   {"all features, weighed for each head", {{"query"}}, "heads joined,\n∘ m\n→"},
                   {.colours_of = "query", .lights = "scores", .has_features = true}),
        declared_scores_stage({"Σ m q k / √d over the features of all heads",
                               {{"mixed_query"}, keys_of("key", "and")},
                               "q · k\n÷ √d\n→"}),
        declared_weights_stage()};
    component.define = define_collaborative;
    return component;
}

}  // namespace headlight
