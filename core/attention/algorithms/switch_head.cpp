#include "core/attention/algorithms/softmax_heads.h"

#include <algorithm>
#include <numeric>

namespace headlight {
namespace {

/// As many as the features of a head’s values can be parted into.
Index experts_of(const Plan& plan) {
    return std::gcd(plan.algorithm().count("experts"), plan.head_value_width());
}
Index active_experts(const Plan& plan) {
    return std::min(plan.algorithm().count("active"), experts_of(plan));
}
/// Features of an expert's value.
Index expert_width(const Plan& plan) { return plan.head_value_width() / experts_of(plan); }

/// σ(x W) of the experts of each head that are among the largest, else 0: [h, tokens, E].
Expression write_expert_gates(Composer& composer, const std::string& name, const Expression& tokens,
                              const std::string& matrix) {
    const Plan& plan = composer.plan;
    // By the order of the scores: of large ones the sigmoids are equal.
    const Expression scores = composer.let(name + "_scores", composer.projected_by_heads(tokens, matrix),
                                           "what the router makes of each token");
    const Expression gates = sigmoid_of(scores);
    const Index active = active_experts(plan);
    return composer.let(name,
                        active == experts_of(plan)
                            ? gates
                            : choose(is_above(static_cast<double>(active), rank_of(scores)), gates, 0),
                        "of the chosen experts; no sum to 1");
}

/// The columns of expert `number` of each row.
Expression of_expert(const Expression& rows, Index number, Index width) {
    return some_columns(rows, counted(number * width, width));
}

Expression define_switch_head(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index experts = experts_of(plan), width = expert_width(plan);
    const Expression value_gates =
        write_expert_gates(composer, "value_experts", composer.key_tokens, "W_value_router");
    Expression value = some_columns(value_gates, {0}) * of_expert(composer.value, 0, width);
    for (Index e = 1; e < experts; ++e)
        value = value + some_columns(value_gates, {e}) * of_expert(composer.value, e, width);
    value = composer.let("mixed_value", value, "the values of the chosen experts, times their gates");
    const Expression attended = composer.let("attended", product(write_softmax_of_products(composer), value),
                                             "the values that each query gets");
    const Expression output_gates =
        write_expert_gates(composer, "output_experts", composer.query_tokens, "W_output_router");
    std::vector<Expression> parts;
    for (Index e = 0; e < experts; ++e)
        parts.push_back(some_columns(output_gates, {e}) * attended);
    return composer.let("context", experts > 1 ? join_columns(parts) : parts.front(),
                        "the same for each expert of W_o, times its gate");
}

DeclaredStage declared_attended_mixtures() {
    DeclaredStage stage = declared_attended_stage();
    stage.subtitle = "the sum of each weight times its mixed value";
    stage.operands.back().stage = "mixed_value";
    stage.has_features = true;
    return stage;
}

void check_switch_head(const Plan& plan) {
    require_own_heads(plan, "switch_head algorithm", "each head chooses among value experts of its own");
}

}  // namespace

AlgorithmComponent declare_algorithms_switch_head() {
    AlgorithmComponent component;
    component.meaning =
        "v = Σₑ σ(y W_r)ₑ y W_vₑ and o = Σₕ Σₑ σ(x W_s)ₕₑ Oₕ W_oₕₑ over the k experts of the largest "
        "gates: each head has several matrices of values and of outputs, and each token chooses among them "
        "(Csordás et al. 2024, SwitchHead)";
    component.options = {
        count_option("experts", "Experts", 2, {1, 64},
                     "How many matrices of values, and of outputs, each head has: so many parts of its "
                     "columns of W_v and of its rows of W_o, or fewer, where these cannot be parted so."),
        count_option("active", "Chosen experts", 1, {1, 64},
                     "How many of them each token chooses in each head, at most all.")};
    component.known_parameters = {
        {"W_value_router", "[d_k, h E]", "asks a token vector which value experts of each head it takes"},
        {"W_output_router", "[d_q, h E]", "asks a token vector which output experts of each head it takes"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index gates = plan.heads * experts_of(plan);
        list.add("W_value_router", {plan.tokens.key_width, gates});
        list.add("W_output_router", {plan.tokens.query_width, gates});
    };
    component.check = check_switch_head;
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("value_experts", "Gates of the value experts",
                   {"what each token takes of each value matrix", token_operands(), "router, σ\n→"},
                   {.lights = "mixed_value", .is_of_keys = true, .has_features = true, .is_share = true}),
        made_stage("mixed_value", "Mixed values",
                   {"the values of the chosen experts, times their gates",
                    {keys_of("value"), keys_of("value_experts", "and")},
                    "Σ gate × part\n→"},
                   {.colours_of = "value", .is_of_keys = true, .has_features = true}),
        declared_scores_stage(),
        declared_weights_stage(),
        declared_attended_mixtures(),
        made_stage("output_experts", "Gates of the output experts",
                   {"what each token takes of each output matrix", token_operands(), "router, σ\n→"},
                   {.lights = "context", .has_features = true, .is_share = true}),
        declared_changed_context("once for each output expert, times its gate", {"output_experts", "and"},
                                 "for each\nexpert\n→")};
    component.define = define_switch_head;
    return component;
}

}  // namespace headlight
