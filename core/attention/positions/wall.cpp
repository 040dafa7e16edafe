#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/product_scores.h"

namespace headlight {
namespace {

/// Keys after the query, where a mask lets it see them, are faded by the gates between in the same way.
Expression define_wall(Composer& composer, const Expression&) {
    const Expression logs = composer.let("log_gates", log_sigmoid_of(numbers_of_tokens(composer, "wall")),
                                         "ln of what each token lets through of each feature");
    const Expression sums = write_summed_gates(composer, "cumulative_gates", logs);
    return sum_of_pairs(left_row(composer.query) * right_row(composer.key) *
                        exp_of(-absolute_of(left_row(sums) - right_row(sums))));
}

DeclaredStage declared_sums_of_features() {
    DeclaredStage sums = declared_cumulative_gates_stage({"log_gates"}, "scores");
    sums.has_features = true;
    return sums;
}

}  // namespace

PositionComponent declare_positions_wall() {
    PositionComponent component;
    component.meaning =
        "Σ_c q_ic k_jc Π f_tc over the tokens t after the key up to the query, f_t = sigmoid(x_t W + b): "
        "each feature of the product fades at a pace of its own, which the tokens between decide (Wall "
        "attention, Tilde Research 2026)";
    component.known_parameters = {
        {"W_wall", "[d, h d_k]", "projects a token vector to its gates, one for each feature"},
        {"b_wall", "[h d_k]", "is added before their sigmoid"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add_with_bias("W_wall", {plan.tokens.key_width, plan.query_width}, 2.0);
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "wall positions", "the gates stand between tokens of one sequence");
        require_products_of_one_width(plan, "wall positions");
    };
    component.acts_on_scores = true;
    component.declared_stages = {
        made_stage("log_gates", "Log gates",
                   {"ln of what each token lets through", {{"tokens"}}, "× W + b,\nln σ\n→"},
                   {.lights = "scores", .is_of_keys = true, .has_features = true}),
        declared_sums_of_features(),
        made_stage(
            "scores", "Scores",
            {"", {{"query"}, times_keys_of("key"), {"cumulative_gates", "and"}}, "feature by\nfeature\n→"})};
    component.define_scores = define_wall;
    return component;
}

}  // namespace headlight
