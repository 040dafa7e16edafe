#include "core/attention/algorithms/pooled_rows.h"

#include <algorithm>

namespace headlight {
namespace {

/// Neighbouring queries that ask as one, their mean; the last of them may be fewer.
struct QueryPools {
    Index stride, queries, real;  ///< those from `real` on are padding
    bool separate;

    explicit QueryPools(const Plan& plan)
        : stride(plan.algorithm().count("stride")), queries(plan.queries),
          real(plan.spec.source.type == SourceType::self ? plan.allowed.end(0) : plan.queries),
          separate(plan.algorithm().flag("separate")) {}

    Index of(Index query) const {
        if (!separate)
            return query / stride;
        return query == 0 ? 0 : 1 + (query - 1) / stride;
    }
    Index count() const { return of(queries - 1) + 1; }
    Index first(Index pool) const {
        if (!separate)
            return pool * stride;
        return pool == 0 ? 0 : 1 + (pool - 1) * stride;
    }
    /// What a query counts in the mean of its pool; 0 for padding.
    double share(Index pool, Index query) const {
        if (of(query) != pool || query >= real)
            return 0;
        return 1 / static_cast<double>(std::min(first(pool + 1), real) - first(pool));
    }
};

/// Means of queries ask, all keys answer, and every token gets what its mean has found (Dai et al. 2020).
Expression define_pooled_queries(Composer& composer) {
    const QueryPools pools(composer.plan);
    const Expression means =
        composer.constant("query_pools", {0, pools.count(), pools.queries}, "means of neighbouring queries",
                          [pools](Index, Index pool, Index query) { return pools.share(pool, query); });
    const bool has_padding = composer.plan.spec.source.type == SourceType::self;
    const Expression queries = has_padding ? of_seen_keys(composer, composer.query) : composer.query;
    const Expression asked =
        composer.let("pooling_queries", product(means, queries), "the mean of each few queries");
    const Expression scores =
        composer.let("pooling_scores", scaled_products(composer, asked, composer.key), "q̄ · k / √d");
    const Expression weights = softmax_of(composer, "pooling_weights", scores_of_real_keys(composer, scores));
    const Expression found =
        composer.let("pooled_values", product(weights, composer.value), "what each mean finds");
    std::vector<Index> of_tokens;
    for (Index query = 0; query < pools.queries; ++query)
        of_tokens.push_back(pools.of(query));
    composer.let("weights", some_rows(weights, of_tokens), "for each token those of its mean");
    return composer.let("context", some_rows(found, of_tokens), "for each token what its mean finds");
}

}  // namespace

AlgorithmComponent declare_algorithms_pooled_queries() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(q̄ Kᵀ / √d) V, q̄ the mean of each two neighbouring queries: half as many ask, all keys "
        "answer (Funnel-Transformer, Dai et al. 2020); shown for every token as its mean has it";
    component.options = {
        count_option("stride", "Queries of a mean", 2, {1, 64},
                     "How many neighbouring queries become their mean; those that are left at the end are "
                     "fewer. 1 is attention."),
        flag_option("separate", "First token alone", true,
                    "Whether the first query, which stands for the whole text, is in no mean with others.")};
    component.needs_one_end = true;
    component.why_one_end = "queries that ask as one look at the same keys";
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "pooled_queries", "a mean of queries has no place of its own");
    };
    component.declared_stages = {
        made_stage("pooling_queries", "Pooling queries",
                   {"means of neighbouring queries", {{"query"}}, "means\n→"},
                   {.colours_of = "query",
                    .lights = "pooling_scores",
                    .is_of_features = true,
                    .row = "pooled query"}),
        declared_pooling_scores("pooled query", {{"pooling_queries"}, times_keys_of("key")}, "÷ √d\n→"),
        declared_pooling_weights("pooled query"),
        declared_pooled_values("pooled query", keys_of("value", "×")),
        declared_weights_stage(
            {"for each token those of its mean", {{"pooling_weights"}}, "for every\ntoken\n→"},
            {.is_share = true}),
        declared_own_context_stage(
            {"for each token what its mean finds", {{"pooled_values"}}, "for every\ntoken\n→"})};
    component.define = define_pooled_queries;
    return component;
}

}  // namespace headlight
