#include "core/attention/algorithms/delta_rule.h"
#include "core/attention/algorithms/unit_triangle.h"

#include <utility>

namespace headlight {
namespace {

bool learns_erasing_strengths(const Plan& plan) { return plan.algorithm().word("strength") == "learned"; }

/// What a token holds of those before it is found by a softmax over them alone, of its own key, or of its
/// query.
Expression define_deltaformer(Composer& composer) {
    const bool compares_keys = composer.plan.algorithm().word("similarity") == "keys";
    const Expression scores = write_scaled_products(composer);
    const Expression similarities = composer.let(
        "earlier_scores", compares_keys ? scaled_products(composer, composer.key, composer.key) : scores,
        "k · k / √d, or q · k / √d");
    Expression taken = softmax_of(composer, "earlier_weights",
                                  scores_where(composer, pairs_with_earlier(composer), similarities));
    if (learns_erasing_strengths(composer.plan)) {
        const Expression raw = composer.projected(composer.key_tokens, "W_beta", "b_beta");
        taken = taken * composer.let("erasing_strengths", sigmoid_of(split_heads(raw, composer.heads)),
                                     "β, how much of what is found is taken out");
    }
    return write_solved_values(composer, write_read_weights(composer, scores),
                               taken + unit_diagonal(composer));
}

}  // namespace

AlgorithmComponent declare_algorithms_deltaformer() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(q · k / √d) over j ≤ t of uⱼ, uₜ = vₜ − βₜ Σ softmax(kₜ · kⱼ / √d) uⱼ over j < t, β = σ(y "
        "W_beta + b_beta): a value is kept without what its key finds among those before it, causal whatever "
        "the mask (Zhong et al. 2025)";
    component.options = {
        word_option("similarity", "Looks back by", {"keys", "queries"},
                    "What a token finds those before it by: its key, as the layer of flash-linear-attention "
                    "does, or its query, as that library’s plain reference is called."),
        word_option("strength", "Strength β", {"learned", "one"},
                    "How much of what is found is taken out: a sigmoid of the token’s vector, or all of it."),
    };
    add_delta_rule_names(component.known_parameters);
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (learns_erasing_strengths(plan))
            add_delta_rule_parameters(plan, list);
    };
    component.check = [](const Plan& plan) { require_one_sequence(plan, "deltaformer", why_one_sequence); };
    component.declared_stages = {
        made_stage("earlier_scores", "Scores of the tokens before",
                   {"k · k / √d, or q · k / √d", {{"key"}, times_keys_of("key")}, "÷ √d\n→"},
                   {.lights = "weights"}),
        made_stage("earlier_weights", "Weights of the tokens before",
                   {"what each token finds among those before it",
                    {{"earlier_scores"}},
                    "softmax of\nthose before\n→"},
                   {.lights = "weights", .is_share = true}),
        made_stage("erasing_strengths", "Erasing strengths",
                   {"β: how much of what is found is taken out", token_operands(), "× W_beta,\nsigmoid\n→"},
                   {.lights = "weights", .is_of_keys = true, .is_share = true}),
    };
    append(component.declared_stages,
           declared_triangle_stages({{"earlier_weights"}, optional_stage("erasing_strengths", "and")},
                                    "(I + β E)⁻¹\n→"));
    component.define = define_deltaformer;
    return component;
}

}  // namespace headlight
