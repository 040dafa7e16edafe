#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/pair_places.h"

#include <algorithm>

namespace headlight {
namespace {

/// The mean over the heads of their keys, [n, d_k].
Expression write_mean_of_heads(Composer& composer) {
    const Index heads = composer.key.extent().heads;
    if (heads <= 1)
        return join_heads(composer.key);
    const Expression shares =
        composer.constant("head_shares", {0, 1, heads}, "one over the heads",
                          [heads](Index, Index, Index) { return 1 / static_cast<double>(heads); });
    return composer.let("mean_keys", join_heads(mix_heads(shares, composer.key)), "the mean over the heads");
}

/// Which tokens become one with which: [n, n], 1 in the column of the token that stands for them. Every other
/// token, the first, the third, ..., finds the most similar of the rest, and the `merged` most similar of
/// these pairs become one (Bolya et al. 2023, section 3.1).
Expression write_groups(Composer& composer, Index merged) {
    const Index n = composer.plan.queries, first = (n + 1) / 2, second = n / 2;
    std::vector<Index> of_first, of_second;
    for (Index token = 0; token < n; ++token)
        (token % 2 == 0 ? of_first : of_second).push_back(token);
    const Expression directions = direction_of(composer, "key", write_mean_of_heads(composer));
    const Expression likeness = composer.let(
        "likeness", product_transposed(some_rows(directions, of_first), some_rows(directions, of_second)),
        "cosines of the keys of every other token and of the rest");
    const Expression best = composer.let("best_likeness", maximum_of_columns(likeness));
    const Expression is_merged = composer.let(
        "is_merged", transposed(as_number(is_above(static_cast<double>(merged), rank_of(transposed(best))))),
        "1 for the tokens of the most similar pairs");
    const Expression is_best = composer.let("is_best", as_number(is_equal(likeness, best)));
    const Expression partner =
        composer.let("partners", is_merged * is_best * as_number(is_equal(cumulative_sum(is_best), 1)),
                     "whom each of them becomes one with");
    const Expression kept = composer.let("kept", (1 - is_merged) * unit_matrix(composer, first, "unit"),
                                         "those that stay by themselves");
    // Rows and columns in the order of the text again.
    const Expression above = join_columns({kept, partner});
    const Expression below = composer.constant(
        "rest", {0, second, n}, "the rest stand for themselves",
        [first](Index, Index row, Index column) { return column == first + row ? 1.0 : 0.0; });
    const auto place = [first](Index token) { return token % 2 == 0 ? token / 2 : first + token / 2; };
    return composer.let("groups",
                        pick(composer.let("dealt_groups", join_rows({above, below})),
                             places_of(n, n, [place](Index row, Index) { return place(row); }),
                             places_of(n, n, [place](Index, Index column) { return place(column); })),
                        "1 in the column of the token that stands for it");
}

/// Softmax attention among tokens of which the most similar have become one, their mean, that counts for as
/// many as it is of. A key that counts s times is s keys that are alike, and so what tokens that have become
/// one take and get is what each of them does with the mean in its place.
Expression define_token_merging(Composer& composer) {
    const Index n = composer.plan.queries;
    const Index merged = std::min(composer.plan.algorithm().count("merged"), n / 2);
    Expression query = composer.query, key = composer.key, value = composer.value;
    if (n > 1) {
        const Expression groups = write_groups(composer, merged);
        const Expression sizes = composer.let("group_sizes", sum_of_rows(groups), "how many each stands for");
        const Expression means =
            composer.let("group_shares", product_transposed(groups / not_zero(sizes), groups),
                         "what each token has of those that it is one with");
        query = composer.let("merged_query", product(means, query), "means of queries");
        key = composer.let("merged_key", product(means, key), "means of keys");
        value = composer.let("merged_value", product(means, value), "means of values");
    }
    const Expression scores = composer.let("scores", scaled_products(composer, query, key), "q · k / √d");
    const Expression weights = softmax_of(composer, "weights", scores);
    return composer.let("context", product(weights, value), "the values that each query gets");
}

}  // namespace

AlgorithmComponent declare_algorithms_token_merging() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(q̄ · k̄ / √d + ln s) v̄ of tokens of which the r most similar pairs have become their mean, s "
        "how many it is of; shown for every token as it was (Bolya et al. 2023, ToMe)";
    component.options = {
        count_option("merged", "Pairs merged r", 2, {0, 4096},
                     "How many tokens become one with another; at most half of them can. 0 is attention.")};
    component.check = [](const Plan& plan) {
        const std::string what = "token_merging algorithm";
        require_one_sequence(plan, what, "a token becomes one with another of its own sequence");
        refuse_mask(plan, what, "tokens that have become one are seen by the same tokens");
    };
    component.declared_stages = {
        made_stage("group_shares", "Who is merged with whom",
                   {"what each token has of those that it is one with",
                    {keys_of("key")},
                    "cosines, the\nmost similar\npairs\n→"},
                   {.lights = "merged_key", .is_share = true}),
        made_stage("merged_query", "Merged queries",
                   {"means of those that have become one", {{"group_shares"}, {"query", "×"}}, "="},
                   {.form_of = "query", .colours_of = "query", .lights = "query"}),
        made_stage("merged_key", "Merged keys",
                   {"means of those that have become one", {{"group_shares"}, keys_of("key", "×")}, "="},
                   {.form_of = "key", .colours_of = "key", .lights = "key", .is_of_keys = true}),
        made_stage("merged_value", "Merged values",
                   {"means of those that have become one", {{"group_shares"}, keys_of("value", "×")}, "="},
                   {.form_of = "value", .colours_of = "value", .lights = "value", .is_of_keys = true}),
        declared_scores_stage({"q̄ · k̄ / √d", {{"merged_query"}, times_keys_of("merged_key")}, "÷ √d\n→"}),
        declared_weights_stage(),
        declared_context_stage("merged_value")};
    component.define = define_token_merging;
    return component;
}

}  // namespace headlight
