#include "core/attention/algorithms/softmax_heads.h"

namespace headlight {
namespace {

/// Numbers by which a search compares what it could retrieve.
Index selection_width(const Plan& plan) {
    const Index given = plan.algorithm().count("selection_width");
    return given > 0 ? given : plan.head_query_width();
}

/// Each search, a map of one head, could retrieve the values of any head: it gets a mean of all, by a softmax
/// over them for each token.
Expression define_compositional(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression weights = write_softmax_of_products(composer);
    const Expression asks = composer.let(
        "retrieval_query", composer.projected_by_heads(composer.query_tokens, "W_retrieval_query"),
        "what each search asks of what it could retrieve");
    const Expression root = root_of(static_cast<double>(selection_width(plan)));
    std::vector<Expression> retrieved, scores;
    for (Index r = 0; r < plan.kv_heads; ++r) {
        const Expression value = take_heads(composer.value, {r * (plan.heads / plan.kv_heads)});
        const Expression found = composer.let(numbered("retrieved_", r + 1), product(weights, value),
                                              "what each search finds in these values");
        retrieved.push_back(found);
        scores.push_back(sum_of_columns(asks * composer.projected(found, "W_retrieval_key")) / root);
    }
    const Expression choices =
        softmax_of(composer, "retrieval_weights",
                   composer.let("retrieval_scores", join_columns(scores), "how well each retrieval answers"));
    Expression context = some_columns(choices, {0}) * retrieved[0];
    for (Index r = 1; r < plan.kv_heads; ++r)
        context = context + some_columns(choices, {r}) * retrieved[static_cast<std::size_t>(r)];
    return composer.let("context", context, "the retrievals by their weights");
}

}  // namespace

AlgorithmComponent declare_algorithms_compositional() {
    AlgorithmComponent component;
    component.meaning =
        "oₛ = Σᵣ softmaxᵣ(q̄ₛ · (AₛVᵣ) W / √d) AₛVᵣ: where to look and what to fetch from there are chosen "
        "apart, any search with any values (Mittal et al. 2022)";
    component.options = {count_option(
        "selection_width", "Selection width", 0, logarithmic_range(0, 4096),
        "Numbers by which a search compares what it could retrieve. 0: as many as a head’s query.",
        "automatic")};
    component.known_parameters = {
        {"W_retrieval_query", "[d_q, h d_r]",
         "projects a token vector to what each search asks of its retrievals"},
        {"W_retrieval_key", "[d_v, d_r]", "projects a retrieval to what it answers"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = selection_width(plan);
        list.add("W_retrieval_query", {plan.tokens.query_width, plan.heads * width});
        list.add("W_retrieval_key", {plan.head_value_width(), width});
    };
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_scores_stage(),
        declared_weights_stage(),
        made_stage(
            "retrieval_query", "Queries of the retrieval",
            {"what each search asks of what it could retrieve", token_operands(), "× W_retrieval_query\n→"},
            {.lights = "retrieval_weights", .has_features = true}),
        made_stage("retrieval_scores", "Scores of the retrievals",
                   {"of the values of each head",
                    {{"retrieval_query"}, {"weights", "and"}, keys_of("value", "and")},
                    "q · (A V W)\n÷ √d\n→"},
                   {.lights = "retrieval_weights", .has_features = true}),
        declared_softmax_stage("retrieval_scores", "retrieval_weights", "Weights of the retrievals",
                               "softmax over the heads of values",
                               {.lights = "context", .has_features = true}),
        declared_own_context_stage(
            {"what the search finds in each head’s values, by the weights of the retrievals",
             {{"weights"}, keys_of("value", "×"), {"retrieval_weights", "and"}},
             "summed\n→"})};
    component.define = define_compositional;
    return component;
}

}  // namespace headlight
