#include "core/attention/algorithms/pooled_rows.h"

namespace headlight {
namespace {

/// One softmax over the tokens so far and those of another sequence, which the same matrices project (T5Gemma
/// 2, merged attention).
Expression define_merged_sources(Composer& composer) {
    const Index n = composer.plan.queries, m = composer.plan.keys;
    const Expression own_keys =
        composer.let("own_keys", keys_of_rows(composer, composer.query_tokens), "of the tokens that ask");
    const Expression own_values =
        composer.let("own_values", values_of_rows(composer, composer.query_tokens), "of the tokens that ask");
    const Expression root = root_of_head_width(composer);
    const Expression own_scores =
        composer.let("own_scores", product_transposed(composer.query, own_keys) / root, "q · k / √d");
    const Expression not_later =
        composer.truth("is_not_later", {0, n, n}, "tokens of the own sequence up to the query",
                       [](Index query, Index token) { return token <= query; });
    const Expression scores = write_scaled_products(composer);
    const Expression joined = softmax_of(
        composer, "joined_weights",
        join_columns({choose(not_later, own_scores, minus_infinity()), composer.open_or_forbidden(scores)}));
    const Expression of_own = composer.let("own_weights", some_columns(joined, counted(0, n)),
                                           "what each token takes of those up to itself");
    const Expression weights =
        composer.let("weights", some_columns(joined, counted(n, m)), "what is left for the other sequence");
    return composer.let("context", product(of_own, own_values) + product(weights, composer.value),
                        "of both sequences");
}

}  // namespace

AlgorithmComponent declare_algorithms_merged_sources() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(Q [K_own; K_other]ᵀ / √d) [V_own; V_other]: one softmax over the tokens so far and those of "
        "another sequence, with the same matrices for both (T5Gemma 2, Zhang et al. 2025)";
    component.check = [](const Plan& plan) {
        const std::string what = "merged_sources algorithm";
        refuse_turned_vectors(plan, what, "keys of another sequence have no place among the query’s");
        for (const auto& [part, width] :
             {std::pair{"keys", plan.tokens.key_width}, std::pair{"values", plan.tokens.value_width}})
            if (width != plan.tokens.query_width)
                throw Error({what, part,
                             "token vectors of " + std::to_string(plan.tokens.query_width) +
                                 " numbers, as the query tokens are, which one matrix projects as well",
                             std::to_string(width)});
    };
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_scores_stage(),
        made_stage(
            "own_scores", "Scores of the own sequence",
            {"q · k / √d, k of the tokens that ask", {{"query"}}, "× own keysᵀ\n÷ √d\n→"},
            {.colours_of = "scores", .lights = "own_weights", .has_features = true, .column = "own token"}),
        made_stage("own_weights", "Weights of the own sequence",
                   {"what each token takes of those up to itself",
                    {{"own_scores"}, {"scores", "and"}},
                    "one softmax\nover both\n→"},
                   {.colours_of = "weights",
                    .lights = "context",
                    .has_features = true,
                    .column = "own token",
                    .is_share = true}),
        declared_weights_stage({"what is left for the other sequence",
                                {{"own_scores"}, {"scores", "and"}},
                                "one softmax\nover both\n→"},
                               {.is_share = true}),
        declared_context_stage("value", "the values of both sequences", "+ own\n→")};
    component.define = define_merged_sources;
    return component;
}

}  // namespace headlight
