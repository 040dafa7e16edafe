#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

/// To the score of a key as query t sees it belongs what the tokens after that key and up to t tell of it:
/// those of them that the mask lets t see.
Expression define_castle(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries;
    const Expression root = root_of_head_width(composer);
    const Expression later = composer.truth(
        "is_later", {0, n, n}, "tokens after this one", [](Index row, Index column) { return column > row; },
        "j > i");
    const Expression not_later = pairs_not_later(composer);
    const auto of_tokens = [&](const char* name, const char* matrix) {
        return composer.let(name, composer.projected_by_heads(composer.query_tokens, matrix));
    };
    const Expression lookahead_query = of_tokens("lookahead_query", "W_qu"),
                     lookahead_key = of_tokens("lookahead_key", "W_ku"),
                     lookahead_value = of_tokens("lookahead_value", "W_vu");
    const Expression told =
        composer.let("lookahead_weights",
                     choose(later, sigmoid_of(product_transposed(lookahead_query, lookahead_key) / root), 0),
                     "how much each key takes from the tokens after it");
    const Expression asked = composer.let(
        "asked_of_values",
        choose(not_later, composer.where_open(product_transposed(composer.query, lookahead_value), 0), 0),
        "what each query asks of what the tokens up to it tell");
    const Expression update = composer.let("lookahead_scores", product_transposed(asked, told) / root,
                                           "q · u, u the lookahead key");
    const Expression scores = composer.let(
        "scores", product_transposed(composer.query, composer.key) / root - update * sigmoid_of(update),
        "q · k less silu(q · u)");
    return write_attended_values(
        composer, softmax_of_open(composer, "weights", choose(not_later, scores, minus_infinity())));
}

}  // namespace

AlgorithmComponent declare_algorithms_castle() {
    AlgorithmComponent component;
    component.meaning =
        "softmax of qₜ · kₛ / √d − silu(qₜ · uₛᵗ / √d), uₛᵗ = Σ σ(qᵘₛ · kᵘⱼ / √d) vᵘⱼ over s < j ≤ t: keys "
        "that learn from the tokens after them (Song et al. 2025)";
    component.known_parameters = {
        {"W_qu", "[d_q, h d_k]", "projects a token vector to what it asks of the tokens after it"},
        {"W_ku", "[d_q, h d_k]", "projects a token vector to what it shows those before it"},
        {"W_vu", "[d_q, h d_k]", "projects a token vector to what it tells those before it"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_qu", {plan.tokens.query_width, plan.query_width});
        list.add("W_ku", {plan.tokens.query_width, plan.query_width});
        list.add("W_vu", {plan.tokens.query_width, plan.query_width});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "castle", "keys learn from the tokens that follow them");
    };
    component.takes_any_mask = true;
    component.declared_stages = {
        made_stage("lookahead_query", "Queries of the lookahead",
                   {"qᵘ: what each token asks of those after it", token_operands(), "× W_qu\n→"},
                   {.lights = "scores"}),
        made_stage("lookahead_key", "Keys of the lookahead",
                   {"kᵘ: what each token shows those before it", token_operands(), "× W_ku\n→"},
                   {.lights = "scores", .is_of_keys = true}),
        made_stage("lookahead_value", "Values of the lookahead",
                   {"vᵘ: what each token tells those before it", token_operands(), "× W_vu\n→"},
                   {.lights = "scores", .is_of_keys = true}),
        made_stage("lookahead_weights", "Lookahead weights",
                   {"how much each key takes from the tokens after it",
                    {{"lookahead_query"}, times_keys_of("lookahead_key")},
                    "÷ √d,\nsigmoid\n→"},
                   {.lights = "scores", .is_share = true}),
        made_stage("lookahead_scores", "Lookahead scores",
                   {"q · u, u the lookahead key that the query sees",
                    {{"query"}, {"lookahead_weights", "and"}, {"lookahead_value", "and"}},
                    "q vᵘᵀ, summed\nby the weights\n÷ √d\n→"},
                   {.lights = "scores"}),
        declared_scores_stage({"q · k less silu(q · u)",
                               {{"query"}, times_keys_of("key"), {"lookahead_scores", "and"}},
                               "÷ √d,\n− silu\n→"}),
        declared_weights_stage(),
    };
    component.define = define_castle;
    return component;
}

}  // namespace headlight
