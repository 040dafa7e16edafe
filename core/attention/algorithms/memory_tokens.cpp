#include "core/attention/algorithms/pooled_rows.h"

namespace headlight {
namespace {

Index count_of_memory_tokens(const Plan& plan) { return plan.algorithm().count("tokens"); }

/// Softmax over the memory and the text of what `queries` ask, in two parts.
struct JoinedWeights {
    Expression of_memory, of_text;
};
JoinedWeights write_joined_weights(Composer& composer, const std::string& name, const Expression& queries,
                                   const Expression& memory_keys, const Expression& text_scores) {
    const Index count = count_of_memory_tokens(composer.plan);
    const Expression scores = composer.let(
        name + "_own_scores", scaled_products(composer, queries, memory_keys), "what is asked of the memory");
    const Expression joined = softmax_of(composer, name + "_joined_weights",
                                         join_columns({scores, scores_of_real_keys(composer, text_scores)}));
    return {some_columns(joined, counted(0, count)),
            some_columns(joined, counted(count, composer.plan.keys))};
}

/// Learned tokens before those of the text, [M; X], which ask and answer as they do (Burtsev et al. 2020).
Expression define_memory_tokens(Composer& composer) {
    const Expression memory = composer.parameter("memory_tokens");
    const Expression queries =
        composer.let("memory_queries", queries_of_rows(composer, memory), "what the memory asks");
    const Expression keys = composer.let("memory_token_keys", keys_of_rows(composer, memory));
    const Expression values = composer.let("memory_token_values", values_of_rows(composer, memory));

    const Expression reads =
        composer.let("memory_read_scores", scaled_products(composer, queries, composer.key),
                     "what the memory asks of each token");
    const JoinedWeights by_memory = write_joined_weights(composer, "memory", queries, keys, reads);
    const Expression read =
        composer.let("memory_reads", by_memory.of_text, "what the memory takes of each token");
    composer.let("memory_context", product(by_memory.of_memory, values) + product(read, composer.value),
                 "the memory, for the next layer");

    const Expression scores = write_scaled_products(composer);
    const JoinedWeights by_tokens = write_joined_weights(composer, "token", composer.query, keys, scores);
    const Expression of_memory =
        composer.let("memory_token_weights", by_tokens.of_memory, "what each token takes of the memory");
    const Expression weights =
        composer.let("weights", by_tokens.of_text, "what is left for the tokens of the text");
    return composer.let("context", product(of_memory, values) + product(weights, composer.value),
                        "of the memory and of the text");
}

}  // namespace

AlgorithmComponent declare_algorithms_memory_tokens() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(Q Kᵀ / √d) V of [M; X]: learned tokens before those of the text, which are projected, ask "
        "and answer as they do (Memory Transformer, Burtsev et al. 2020)";
    component.options = {count_option("tokens", "Memory tokens", 4, logarithmic_range(1, 512),
                                      "How many learned tokens there are beside those of the text.")};
    component.known_parameters = {
        {"memory_tokens", "[tokens, d]", "learned token vectors beside those of the text"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("memory_tokens", {count_of_memory_tokens(plan), plan.tokens.query_width});
    };
    component.needs_one_end = true;
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "memory_tokens", "a memory token is one more of the text’s");
        refuse_turned_vectors(plan, "memory_tokens", "memory tokens have no place to be turned by");
        require_one_token_width(plan, "memory_tokens");
    };
    component.changes_context = always;
    component.declared_stages = {
        made_stage(
            "memory_queries", "Queries of the memory", {"learned tokens, projected as those of the text"},
            {.colours_of = "query", .lights = "memory_reads", .is_of_features = true, .row = "memory token"}),
        made_stage("memory_reads", "What the memory reads",
                   {"what each memory token takes of each token of the text",
                    {{"memory_queries"}, times_keys_of("key")},
                    "softmax with\nthe memory\n→"},
                   {.lights = "memory_context",
                    .is_of_features = true,
                    .row = "memory token",
                    .column = "key",
                    .is_share = true}),
        made_stage(
            "memory_context", "Context of the memory",
            {"what the next layer has for its memory tokens",
             {{"memory_reads"}, keys_of("value", "×")},
             "+ memory\n→"},
            {.colours_of = "value", .lights = "memory_reads", .is_of_features = true, .row = "memory token"}),
        declared_scores_stage(),
        made_stage(
            "memory_token_weights", "Weights of the memory",
            {"what each token takes of each memory token", {{"scores"}}, "softmax with\nthe memory\n→"},
            {.lights = "context", .has_features = true, .column = "memory token", .is_share = true}),
        declared_weights_stage(
            {"what the memory leaves for the tokens", {{"scores"}}, "softmax with\nthe memory\n→"},
            {.is_share = true}),
        declared_context_stage("value", "the values of the tokens and of the memory", "+ memory\n→")};
    component.define = define_memory_tokens;
    return component;
}

}  // namespace headlight
