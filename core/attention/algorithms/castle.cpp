#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

Expression heads_of(Composer& composer, const char* matrix) {
    return split_heads(composer.projected(composer.query_tokens, matrix), composer.heads);
}

/// The key of a token as a query t sees it is what it was, less what the tokens after it and up to t tell of
/// it.
Expression define_castle(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries;
    const Expression root = root_of_head_width(composer);
    const Expression later = composer.truth("is_later", {0, n, n}, "tokens after this one",
                                            [](Index row, Index column) { return column > row; });
    const Expression not_later = composer.truth("is_not_later", {0, n, n}, "this token and those before",
                                                [](Index row, Index column) { return column <= row; });
    const Expression lookahead_query = composer.let("lookahead_query", heads_of(composer, "W_qu")),
                     lookahead_key = composer.let("lookahead_key", heads_of(composer, "W_ku")),
                     lookahead_value = composer.let("lookahead_value", heads_of(composer, "W_vu"));
    const Expression told =
        composer.let("lookahead_weights",
                     choose(later, sigmoid_of(product_transposed(lookahead_query, lookahead_key) / root), 0),
                     "how much each key takes from the tokens after it");
    const Expression asked = composer.let(
        "asked_of_values", choose(not_later, product_transposed(composer.query, lookahead_value), 0),
        "what each query asks of what later tokens tell");
    const Expression update = composer.let("lookahead_scores", product_transposed(asked, told) / root,
                                           "q · u, u the lookahead key");
    const Expression scores = composer.let(
        "scores", product_transposed(composer.query, composer.key) / root - update * sigmoid_of(update),
        "q · k less silu(q · u)");
    return write_attended_values(
        composer,
        softmax_of(composer, "weights",
                   composer.where_open(choose(not_later, scores, minus_infinity()), minus_infinity())));
}

}  // namespace

AlgorithmComponent declare_algorithms_castle() {
    AlgorithmComponent component;
    component.type = AlgorithmType::castle;
    component.word = "castle";
    component.meaning = "softmax of qₜ · kₛ / √d − silu(qₜ · uₛᵗ / √d), uₛᵗ = Σ σ(qᵘₛ · kᵘⱼ / √d) vᵘⱼ over s "
                        "< j ≤ t: keys that "
                        "learn from the tokens after them (Song et al. 2025)";
    component.known_parameters = {{"W_qu", {}, "[d_x, d_q]: what a token asks of those after it (castle)"},
                                  {"W_ku", {}, "[d_x, d_q]: what it shows to those before it (castle)"},
                                  {"W_vu", {}, "[d_x, d_q]: what it tells those before it (castle)"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_qu", {plan.tokens.query_width, plan.query_width}, "what a token asks of those after it");
        list.add("W_ku", {plan.tokens.query_width, plan.query_width},
                 "what a token shows to those before it");
        list.add("W_vu", {plan.tokens.query_width, plan.query_width}, "what a token tells those before it");
    };
    component.check = [](const Plan& plan) {
        if (plan.spec.source.type != SourceType::self)
            throw Error({"castle", "source", "self: keys learn from the tokens that follow them", "cross"});
    };
    component.takes_any_mask = true;
    component.implies_shares = true;
    component.declared_stages = {
        {.name = "lookahead_query", .title = "Lookahead queries", .lights = "scores"},
        {.name = "lookahead_key", .title = "Lookahead keys", .lights = "scores"},
        {.name = "lookahead_value", .title = "Lookahead values", .lights = "scores"},
        {.name = "lookahead_weights", .title = "Lookahead weights", .lights = "scores", .is_share = true},
        {.name = "lookahead_scores", .title = "Lookahead scores", .lights = "scores"},
        {.name = "scores",
         .title = "Scores",
         .subtitle = "q · k less silu(q · u)",
         .role = StageRole::scores},
    };
    component.define = define_castle;
    return component;
}

}  // namespace headlight
