#include "core/attention/algorithms/softmax_heads.h"

namespace headlight {
namespace {

Expression write_map_of_pair(Composer& composer, const std::string& which, Index map,
                             const Expression& query) {
    const Expression scores =
        composer.let(which + "_scores",
                     product_transposed(query, composer.key) / root_of_head_width(composer), "q · k / √d");
    return normalized_of(composer, which + "_weights", composer.where_open(scores, minus_infinity()),
                         "_of_" + which + "_map", false, map);
}

Expression define_differential_2(Composer& composer) {
    Expression second =
        composer.let("second_query",
                     split_heads(composer.projected(composer.query_tokens, "W_second_query"), composer.heads),
                     "queries of the map that is taken off");
    if (const PositionComponent* position =
            position_with(composer.plan.spec, &PositionComponent::define_turn))
        second = position->define_turn(composer, "second_query", second, false);
    const Expression share = composer.let(
        "second_share",
        sigmoid_of(split_heads(composer.projected(composer.query_tokens, "W_second_share"), composer.heads)),
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
        "says for each head how much of the second map is taken off, and no norm follows (Microsoft 2026)";
    component.known_parameters = {
        {"W_second_query",
         {},
         "[d_q, h d_k]: projects a token vector to the queries of the map that is taken off "
         "(differential_2)"},
        {"W_second_share",
         {},
         "[d_q, h]: projects a token vector to how much of the second map each head takes off "
         "(differential_2)"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_second_query", {plan.tokens.query_width, plan.query_width},
                 "makes the queries of the map that is taken off");
        list.add("W_second_share", {plan.tokens.query_width, plan.heads},
                 "makes λ, how much of the second map each head takes off");
    };
    component.takes_any_mask = true;
    component.takes_normalizer = true;
    component.why_no_selection =
        "its two maps could each keep keys of their own, or those of one, and are subtracted";
    const std::vector<StageOperand> tokens{
        {"tokens"}, {.stage = "position", .operator_before = "+", .is_optional = true}};
    const auto scores = [](const std::string& name, const std::string& title, const std::string& query) {
        return DeclaredStage{
            .name = name,
            .title = title,
            .subtitle = "q · k / √d",
            .operands = {{query},
                         {.stage = "key", .operator_before = "×", .transposed = true, .as_keys = true}},
            .operation = "÷ √d\n→",
            .role = StageRole::scores};
    };
    component.declared_stages = {
        {.name = "second_query",
         .title = "Second queries",
         .subtitle = "of the map that is taken off",
         .operands = tokens,
         .operation = "× W_second_query\n→",
         .colours_of = "query",
         .lights = "second_scores",
         .has_features = true},
        {.name = "second_share",
         .title = "Share taken off",
         .subtitle = "λ, of each token and head",
         .operands = tokens,
         .operation = "× W_second_share,\nsigmoid\n→",
         .lights = "weights",
         .is_share = true},
        scores("first_scores", "First scores", "query"),
        declared_softmax_stage(
            "first_scores", {.name = "first_weights", .title = "First weights", .leaves_out_masked = true}),
        scores("second_scores", "Second scores", "second_query"),
        declared_softmax_stage(
            "second_scores",
            {.name = "second_weights", .title = "Second weights", .leaves_out_masked = true}),
        // An arrow: the share is recorded as a column, which times a map is no product of the two matrices.
        {.name = "weights",
         .title = "Weights",
         .subtitle = "one map less a share of the other",
         .operands = {{"first_weights"}, {"second_share", "−"}, {"second_weights", "×"}},
         .lights = "output",
         .role = StageRole::weights}};
    component.define = define_differential_2;
    return component;
}

}  // namespace headlight
