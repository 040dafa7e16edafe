#include "core/attention/algorithms/pooled_rows.h"

namespace headlight {
namespace {

Index rows_of_pooling(const Plan& plan) { return plan.algorithm().count("rows"); }
bool is_gated_pooling(const Plan& plan) { return plan.algorithm().flag("gated"); }
/// As many units as a head has features, unless an option says otherwise.
Index units_of_pooling(const Plan& plan) {
    const Index given = plan.algorithm().count("units");
    return given > 0 ? given : plan.head_query_width();
}

/// A = softmax(w (tanh(H V) ∘ σ(H U))ᵀ), a row for each row of w (Lin et al. 2017; gated: Ilse et al. 2018).
Expression define_additive_pooling(Composer& composer) {
    const Expression& states = composer.query;
    Expression hidden = tanh_of(composer.projected(states, "V_pool"));
    if (is_gated_pooling(composer.plan)) {
        hidden = composer.let("pooling_tanh", hidden, "what each token has to say");
        hidden = hidden * composer.let("pooling_gates", sigmoid_of(composer.projected(states, "U_pool")),
                                       "how much of it is heard");
    }
    hidden = composer.let("pooling_hidden", hidden, "the hidden layer of the scores");
    const Expression scores =
        composer.let("pooling_scores", product_transposed(composer.parameter("w_pool"), hidden),
                     "what each row asks of each token");
    const Expression weights = softmax_of(composer, "pooling_weights", scores_of_real_keys(composer, scores));
    composer.let("row_overlaps", product_transposed(weights, weights),
                 "how much two rows look at the same tokens");
    return write_rows_for_all(composer, weights,
                              composer.let("pooled_values", product(weights, states), "what each row finds"));
}

}  // namespace

AlgorithmComponent declare_algorithms_additive_pooling() {
    AlgorithmComponent component;
    component.meaning =
        "A = softmax(w tanh(H V)ᵀ), O = A H: r learned rows w ask a hidden layer of each token (Lin et al. "
        "2017), or the same with gates, w (tanh(H V) ∘ σ(H U))ᵀ (Ilse et al. 2018); every token gets the "
        "mean of the rows of O";
    component.options = {
        count_option("rows", "Rows r", 4, logarithmic_range(1, 512),
                     "How many rows of weights there are, each with a vector w of its own."),
        count_option("units", "Hidden units", 0, {0, 4096},
                     "How many units the hidden layer of each token has. 0: as many as a head has features.",
                     "as wide as a head"),
        flag_option("gated", "Gated", false,
                    "Multiplies each unit by a sigmoid of the token: tanh alone is nearly linear around 0.")};
    component.known_parameters = {
        {"V_pool", "[d_q, units] per head, shared by the heads", "makes the hidden layer of each token"},
        {"U_pool", "[d_q, units] per head, shared by the heads", "makes its gates"},
        {"w_pool", "[r, units], shared by the heads", "what each row asks"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("V_pool", {plan.head_query_width(), units_of_pooling(plan)});
        if (is_gated_pooling(plan))
            list.add("U_pool", {plan.head_query_width(), units_of_pooling(plan)});
        list.add("w_pool", {rows_of_pooling(plan), units_of_pooling(plan)});
    };
    component.needs_one_end = true;
    component.check = [](const Plan& plan) { check_pooled_states(plan, "additive_pooling"); };
    component.makes_keys_and_values = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("pooling_gates", "Gates of the hidden layer",
                   {"how much of each unit is heard", {{"query"}}, "× U, σ\n→"},
                   {.lights = "pooling_hidden", .has_features = true, .is_share = true}),
        made_stage("pooling_hidden", "Hidden layer of the scores",
                   {"what of each token is asked",
                    {{"query"}, optional_stage("pooling_gates", "and")},
                    "× V, tanh\n→"},
                   {.lights = "pooling_scores", .has_features = true}),
        declared_pooling_scores("pooled row", {{"pooling_hidden"}}, "· w\n→"),
        declared_pooling_weights("pooled row"),
        made_stage("row_overlaps", "Overlap of the rows",
                   {"near 1 on the diagonal: one token; 0 beside it: no token in common",
                    {{"pooling_weights"}},
                    "× Aᵀ\n→"},
                   {.lights = "pooling_weights",
                    .is_of_features = true,
                    .row = "pooled row",
                    .column = "pooled row",
                    .is_share = true}),
        declared_pooled_values("pooled row", {"query", "×"}),
        declared_mean_weights(),
        declared_mean_of_rows("pooled_values")};
    component.define = define_additive_pooling;
    return component;
}

}  // namespace headlight
