#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <algorithm>

namespace headlight {
namespace {

/// No more than there are queries.
Index clusters_of(const Plan& plan) {
    return std::min(plan.algorithm().count("clusters"), std::max<Index>(plan.queries, 1));
}

/// Which cluster each query belongs to, [h, n, clusters] of 1 and 0: so many steps of Lloyd’s, from queries
/// that lie evenly in the text. A cluster that has lost its queries stays where it was.
Expression write_members(Composer& composer) {
    const Index count = clusters_of(composer.plan), n = composer.plan.queries;
    const Index steps = composer.plan.algorithm().count("steps");
    // Squares of large numbers overflow; of parts of the largest they do not.
    const Expression largest =
        composer.let("largest_of_queries", not_zero(maximum_of_rows(largest_amount(composer.query))));
    const Expression x = composer.let("query_parts", composer.query / largest, "over the largest number");
    std::vector<Index> first;
    for (Index cluster = 0; cluster < count; ++cluster)
        first.push_back(cluster * n / count);
    Expression centre = composer.let("centre_0", some_rows(x, first), "where the clusters begin");
    for (Index step = 1;; ++step) {
        const Expression difference = left_row(x) - right_row(centre);
        const Expression distance =
            composer.let(numbered("distances_", step), sum_of_pairs(difference * difference),
                         "squared, of each query to each centre");
        const Expression is_nearest = composer.let(
            numbered("nearest_", step), as_number(is_equal(distance, -maximum_of_columns(-distance))));
        const bool is_last = step == steps;
        const Expression members =
            composer.let(is_last ? std::string("members") : numbered("members_", step),
                         as_number(is_equal(is_nearest * cumulative_sum(is_nearest), 1)),
                         "1 for the nearest centre, of equally near ones the first");
        if (is_last)
            return members;
        const Expression sizes = transposed(sum_of_rows(members));
        centre = composer.let(
            numbered("centre_", step),
            choose(is_above(sizes, 0), product(transposed(members), x) / not_zero(sizes), centre),
            "the means of the queries");
    }
}

/// Queries share the row of their cluster (Vyas et al. 2020).
Expression define_clustered(Composer& composer) {
    const Expression members = write_members(composer);
    const Expression centroids = composer.let("mean_queries",
                                              product(transposed(members), composer.query) /
                                                  not_zero(transposed(sum_of_rows(members))),
                                              "the mean query of each cluster");
    const Expression scores = composer.let(
        "cluster_scores", scores_of_real_keys(composer, scaled_products(composer, centroids, composer.key)),
        "q · k / √d of the mean queries");
    const Expression of_clusters = softmax_of(composer, "cluster_weights", scores);
    const Index kept = std::min(composer.plan.algorithm().count("exact_keys"), composer.plan.keys);
    if (kept == 0)
        return write_attended_values(composer, composer.let("weights", product(members, of_clusters),
                                                            "each query has the row of its cluster"));
    const Expression least = write_least_kept(composer, scores, kept, "the smallest score that is kept");
    const Expression is_kept = composer.let(
        "kept_keys", as_number(both_of(is_at_least(scores, least), is_above(scores, minus_infinity()))),
        "the keys that each cluster looks at most");
    const Expression of_query = composer.let("kept_of_queries", product(members, is_kept));
    const Expression share =
        composer.let("share_of_kept", product(members, sum_of_columns(of_clusters * is_kept)),
                     "what the cluster gives to these keys together");
    const Expression exact =
        softmax_of(composer, "exact_shares",
                   choose(is_above(of_query, 0.5), scaled_products(composer, composer.query, composer.key),
                          minus_infinity()));
    return write_attended_values(
        composer, composer.let("weights", share * exact + product(members, of_clusters * (1 - is_kept)),
                               "the row of the cluster, exact where it is largest"));
}

}  // namespace

AlgorithmComponent declare_algorithms_clustered() {
    AlgorithmComponent component;
    component.meaning =
        "A_i = softmax(z_c · k / √d), z_c the mean of the queries of i’s cluster: queries are clustered by "
        "Lloyd’s steps, and those of a cluster share a row; or, improved, the exact query divides up anew "
        "what the k keys get at which the cluster looks most; ties with the k-th stay (Vyas et al. 2020)";
    component.options = {
        count_option("clusters", "Clusters", 3, logarithmic_range(1, 4096),
                     "How many clusters there are: as many rows are computed. No more than queries."),
        count_option(
            "steps", "Steps", 4, {1, 20},
            "How often each query goes to the nearest centre, and each centre to the mean of its queries."),
        count_option("exact_keys", "Exact keys k", 0, logarithmic_range(0, 65536),
                     "Among how many keys, those at which the cluster looks most, each query divides by "
                     "itself what these get together; all: exact attention.",
                     "none")};
    component.needs_one_end = true;
    component.declared_stages = {
        made_stage("members", "Members of the clusters",
                   {"1 for the cluster of each query", {{"query"}}, "nearest\ncentre\n→"},
                   {.lights = "weights", .has_features = true, .column = "cluster", .is_share = true}),
        made_stage(
            "mean_queries", "Mean queries",
            {"of each cluster", {{.stage = "members", .transposed = true}, {"query", "×"}}, "÷ size\n→"},
            {.colours_of = "query", .lights = "cluster_scores", .is_of_features = true, .row = "cluster"}),
        made_stage("cluster_scores", "Scores of the clusters",
                   {"q · k / √d of the mean queries", {{"mean_queries"}, times_keys_of("key")}, "÷ √d\n→"},
                   {.lights = "cluster_weights", .is_of_features = true, .row = "cluster"}),
        declared_softmax_stage("cluster_scores", "cluster_weights", "Weights of the clusters",
                               "a row for each cluster",
                               {.lights = "weights", .is_of_features = true, .row = "cluster"}),
        declared_weights_stage(
            {"each query has the row of its cluster", {{"members"}, {"cluster_weights", "×"}}, "="},
            {.is_share = true})};
    component.define = define_clustered;
    return component;
}

}  // namespace headlight
