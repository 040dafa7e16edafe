#include "core/attention/algorithms/pointwise.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

/// Is added to the variance, as in the authors' code.
constexpr double smallest_hstu_variance = 1e-6;

bool hstu_activates_vectors(const Plan& plan) { return plan.algorithm().flag("activated"); }

/// The contexts [h, n, d_v] of each token, all heads together, less their mean and over their standard
/// deviation.
Expression layer_normalized_context(Composer& composer, const Expression& attended) {
    const Expression joined = composer.let("joined_context", join_heads(attended), "the heads side by side");
    const Expression mean = composer.let("context_mean", mean_of_columns(joined), "the mean of each row");
    const Expression centred = composer.let("centred_context", joined - mean, "each row without its mean");
    // Squares of large numbers overflow; of parts of the largest they do not.
    const Expression largest = composer.let("largest_distance", larger_of(largest_amount(centred), 1),
                                            "the largest of each row, 1 at least");
    const Expression parts = composer.let("centred_over_largest", centred / largest);
    const Expression deviation = composer.let(
        "context_deviation",
        largest * root_of(mean_of_columns(parts * parts) + smallest_hstu_variance / largest / largest),
        "the standard deviation of each row");
    return composer.let("normalized_context", split_heads(centred / deviation, composer.heads),
                        "layer normalisation over all heads");
}

Expression define_hstu(Composer& composer) {
    const Plan& plan = composer.plan;
    const auto activated_vectors = [&](const char* name, const Expression& vectors) {
        return hstu_activates_vectors(plan) ? composer.let(name, through_silu(vectors)) : vectors;
    };
    const Expression query = activated_vectors("activated_query", composer.query),
                     key = activated_vectors("activated_key", composer.key),
                     value = activated_vectors("activated_value", composer.value);
    const Expression scores =
        composer.let("scores", product_transposed(query, key), "q · k, not divided by √d");
    const Expression weights =
        composer.let("weights", composer.where_open(through_silu(scores), 0) / divisor_of_pairs(plan),
                     "each pair by itself: no sum over the row");
    const Expression attended =
        composer.let("attended", product(weights, value), "the values that each query gets");
    const Expression normalized = layer_normalized_context(composer, attended);
    const Expression gate = write_output_gate(composer);
    return composer.let("context", normalized * gate, "what each token gives to W_o");
}

void check_hstu(const Plan& plan) {
    if (hstu_activates_vectors(plan))
        refuse_turned_vectors(plan, "hstu", "SiLU changes vectors after they were turned");
}

}  // namespace

AlgorithmComponent declare_algorithms_hstu() {
    AlgorithmComponent component;
    component.meaning =
        "A = silu(Q Kᵀ) / n of the pairs that may meet, o = LN(A V) ∘ silu(x W_u): each pair is weighed by "
        "itself, and what is added up is normalised and gated (Zhai et al. 2024)";
    component.options = {
        flag_option("activated", "SiLU on queries, keys and values", true,
                    "Passes queries, keys and values through SiLU before they meet, as the paper does."),
        length_of_pairs_option("weight")};
    component.known_parameters = {output_gate_name()};
    component.parameters = add_output_gate_parameter;
    component.check = check_hstu;
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("activated_query", "Queries through SiLU", {}, {.form_of = "query", .lights = "query"}),
        made_stage("activated_key", "Keys through SiLU", {},
                   {.form_of = "key", .colours_of = "activated_query", .lights = "key", .is_of_keys = true}),
        declared_activated_value(),
        declared_scores_stage({"q · k, not divided by √d", {{"query"}, times_keys_of("key")}, "="}),
        declared_weights_stage({"silu of each score, over n", {{"scores"}}, "silu,\n÷ n\n→"}),
        declared_attended_stage(),
        made_stage("context_mean", "Mean of the row", {}, {.lights = "context", .role = StageRole::row}),
        made_stage("context_deviation", "Deviation of the row", {},
                   {.lights = "context", .role = StageRole::row}),
        made_stage("normalized_context", "Normalised context",
                   {"all heads of a token, less their mean and over their deviation",
                    {{"attended"}},
                    "layer norm\n→"},
                   {.lights = "context"})};
    append(component.declared_stages, declared_output_gate("normalized_context"));
    component.define = define_hstu;
    return component;
}

}  // namespace headlight
