#include "core/attention/algorithms/softmax_heads.h"
#include "core/attention/algorithms/subtracted_maps.h"

namespace headlight {
namespace {

/// Heads that read the same keys take off one map: that of one more query of their group.
bool shares_noise(const Plan& plan) { return plan.algorithm().word("noise") == "group"; }
Index noise_heads(const Plan& plan) { return shares_noise(plan) ? plan.kv_heads : plan.heads; }

/// The queries of the map that is taken off, [h, n, d_k].
Expression write_noise_queries(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression made = composer.projected(composer.query_tokens, "W_second_query");
    const std::string note = "queries of the map that is taken off";
    if (noise_heads(plan) == plan.heads)
        return composer.let("second_query", split_heads(made, composer.heads), note);
    std::vector<Index> taken;
    for (Index head = 0; head < plan.heads; ++head)
        taken.push_back(plan.kv_head(head));
    const Expression of_groups = composer.let("query_of_groups", split_heads(made, plan.kv_heads),
                                              "one for the heads that read the same keys");
    return composer.let("second_query", take_heads(of_groups, taken), note);
}

Expression write_map_of_pair(Composer& composer, const std::string& which, Index map,
                             const Expression& query) {
    const Expression scores =
        composer.let(which + "_scores", scaled_products(composer, query, composer.key), "q · k / √d");
    return normalized_of(composer, which + "_weights", composer.open_or_forbidden(scores),
                         "_of_" + which + "_map", false, map);
}

Expression define_differential_2(Composer& composer) {
    Expression second = write_noise_queries(composer);
    if (const PositionComponent* position =
            position_with(composer.plan.spec, &PositionComponent::define_turn))
        second = position->define_turn(composer, "second_query", second, false);
    const Expression share = composer.let(
        "second_share", sigmoid_of(composer.projected_by_heads(composer.query_tokens, "W_second_share")),
        "λ, how much of the second map is taken off");
    const Expression first_weights = write_map_of_pair(composer, "first", 0, composer.query),
                     second_weights = write_map_of_pair(composer, "second", 1, second);
    return write_attended_values(composer, composer.let("weights", first_weights - share * second_weights,
                                                        "one map less a share of the other"));
}

}  // namespace

AlgorithmComponent declare_algorithms_differential_2() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(Q₁Kᵀ/√d) − σ(x W_λ) softmax(Q₂Kᵀ/√d): two queries look through the same keys, each token "
        "says for each head how much of the second map is taken off, and no norm follows (Microsoft 2026); "
        "with one second query for all heads that read the same keys, grouped differential attention (Lim et "
        "al. 2025)";
    component.options = {
        word_option("noise", "Second queries", {"own", "group"},
                    "Whether each head has a second query of its own, or all heads that read the same keys "
                    "have one, so that they take off the same map, each its own share of it.")};
    component.known_parameters = {
        {"W_second_query", "[d_q, h d_k], with a second query for each group [d_q, h_kv d_k]",
         "projects a token vector to the queries of the map that is taken off"},
        {"W_second_share", "[d_q, h]",
         "projects a token vector to λ, how much of the second map each head takes off"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_second_query", {plan.tokens.query_width, noise_heads(plan) * plan.head_query_width()});
        list.add("W_second_share", {plan.tokens.query_width, plan.heads});
    };
    component.takes_any_mask = true;
    component.takes_normalizer = true;
    component.why_no_selection = why_subtracted_maps_take_no_selection;
    const auto scores = [](const std::string& name, const std::string& title, const std::string& query) {
        return made_stage(name, title, {"q · k / √d", {{query}, times_keys_of("key")}, "÷ √d\n→"},
                          {.role = StageRole::scores});
    };
    component.declared_stages = {
        made_stage("second_query", "Second queries",
                   {"of the map that is taken off", token_operands(), "× W_second_query\n→"},
                   {.colours_of = "query", .lights = "second_scores", .has_features = true}),
        made_stage("second_share", "Share taken off",
                   {"λ, of each token and head", token_operands(), "× W_second_share,\nsigmoid\n→"},
                   {.lights = "weights", .is_share = true}),
        scores("first_scores", "First scores", "query"),
        declared_softmax_stage("first_scores", "first_weights", "First weights", "",
                               {.leaves_out_masked = true}),
        scores("second_scores", "Second scores", "second_query"),
        declared_softmax_stage("second_scores", "second_weights", "Second weights", "",
                               {.leaves_out_masked = true}),
        // An arrow: the share is recorded as a column, which times a map is no product of the two matrices.
        made_stage("weights", "Weights",
                   {"one map less a share of the other",
                    {{"first_weights"}, {"second_share", "−"}, {"second_weights", "×"}}},
                   {.lights = "output", .role = StageRole::weights})};
    component.define = define_differential_2;
    return component;
}

}  // namespace headlight
