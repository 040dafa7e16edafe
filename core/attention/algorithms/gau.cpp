#include "core/attention/algorithms/pointwise.h"

namespace headlight {
namespace {

/// γ silu(x) + β, feature by feature: of one vector that a token has, its query and its key.
Expression write_offset_vectors(Composer& composer, const std::string& name, const Expression& vectors,
                                const std::string& suffix) {
    return composer.let("offset_" + name,
                        composer.parameter("gamma_" + suffix) * through_silu(vectors) +
                            composer.parameter("beta_" + suffix),
                        "γ silu(x) + β, feature by feature");
}

Expression define_gau(Composer& composer) {
    const Expression query = write_offset_vectors(composer, "query", composer.query, "q");
    const Expression key = write_offset_vectors(composer, "key", composer.key, "k");
    const Expression value = composer.let("activated_value", through_silu(composer.value));
    const Expression scores =
        composer.let("scores", product_transposed(query, key) / divisor_of_pairs(composer.plan), "q · k / n");
    const Expression above = composer.let("scores_above_0", relu_of(scores));
    const Expression weights = composer.let("weights", composer.where_open(above * above, 0),
                                            "each pair by itself: no sum over the row");
    const Expression attended =
        composer.let("attended", product(weights, value), "the values that each query gets");
    const Expression gate = write_output_gate(composer);
    return composer.let("context", attended * gate, "what each token gives to W_o");
}

}  // namespace

AlgorithmComponent declare_algorithms_gau() {
    AlgorithmComponent component;
    component.meaning =
        "A = relu(q · k / n)², q = γ_q silu(z) + β_q, k = γ_k silu(z) + β_k, o = A silu(v) ∘ silu(x W_u): "
        "attention inside a gated linear unit, pair by pair and without a softmax (Hua et al. 2022)";
    component.options = {length_of_pairs_option("score")};
    component.known_parameters = {
        output_gate_name(),
        {"gamma_q", "[d_k] per head, shared by the heads", "scales each feature of a query after SiLU"},
        {"beta_q", "[d_k] per head, shared by the heads", "is added to each feature of a query after that"},
        {"gamma_k", "[d_k] per head, shared by the heads", "scales each feature of a key after SiLU"},
        {"beta_k", "[d_k] per head, shared by the heads", "is added to each feature of a key after that"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.head_query_width();
        add_output_gate_parameter(plan, list);
        list.add("gamma_q", {width}, 1.0);
        list.add("beta_q", {width}, 0.0);
        list.add("gamma_k", {width}, 1.0);
        list.add("beta_k", {width}, 0.0);
    };
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "gau", "SiLU changes vectors after they were turned");
    };
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("offset_query", "Queries of the unit", {"γ silu(x) + β", {{"query"}}, "silu, × γ, + β\n→"},
                   {.form_of = "query", .lights = "query"}),
        made_stage("offset_key", "Keys of the unit", {"γ silu(x) + β", {keys_of("key")}, "silu, × γ, + β\n→"},
                   {.form_of = "key", .colours_of = "offset_query", .lights = "key", .is_of_keys = true}),
        declared_activated_value(),
        declared_scores_stage({"q · k / n", {{"offset_query"}, times_keys_of("offset_key")}, "÷ n\n→"}),
        declared_weights_stage({"the square of what is above 0", {{"scores"}}, "relu,\nsquare\n→"}),
        made_stage(
            "attended", "Weighted values",
            {"the sum of each weight times its value", {{"weights"}, keys_of("activated_value", "×")}, "="},
            {.colours_of = "value", .lights = "context"})};
    append(component.declared_stages, declared_output_gate("attended"));
    component.define = define_gau;
    return component;
}

}  // namespace headlight
