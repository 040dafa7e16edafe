#pragma once

#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/rotation.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

// Neighbouring tokens that have one latent in the cache, which grows until their group is whole (Deng and
// Woodland 2025, MTLA).

/// How many tokens a group has; 1: each token has a latent of its own.
inline Index merged_tokens(const Options& options) { return options.count("merged"); }
/// Numbers by which a latent and the place of its group say how much it counts in what they become.
inline Index merge_width(Index latent_width) { return std::max<Index>(latent_width / 4, 1); }

/// Refuses what a cache of merged latents cannot have.
inline void check_merging(const Plan& plan) {
    if (merged_tokens(plan.algorithm()) == 1)
        return;
    if (!gives_prefixes(plan.spec.mask))
        throw Error({"latent algorithm", "mask",
                     "none, causal or padding with \"merged\": a latent holds what its tokens had so far",
                     "another mask"});
    if (plan.spec.selection.type != SelectionType::none)
        throw Error({"latent algorithm", "selection",
                     "none with \"merged\": the cache has no latents of single tokens to choose among",
                     component_of(plan.spec.selection.type)->word});
}

inline void list_merging_parameters(const Plan& plan, Index latent_width, ParameterList& list) {
    if (merged_tokens(plan.algorithm()) == 1)
        return;
    const Index width = merge_width(latent_width);
    list.add_with_bias("W_merge_place", {latent_width, width});
    list.add_with_bias("W_merge_latent", {latent_width, width});
}

/// Pairs of a query and a latent that it meets: the last one of each group that is whole, and that of the
/// group which is not.
inline Index compared_pairs(const Plan& plan) {
    const Index merged = merged_tokens(plan.algorithm());
    if (merged == 1)
        return plan.allowed.count() * plan.heads;
    Index count = 0;
    for (const Index end : plan.allowed.ends())
        count += parts_of_size(end, merged);
    return count * plan.heads;
}

/// Multiply-adds that it takes to merge the latents of all keys.
inline double merging_cost(const Plan& plan, Index latent_width) {
    if (merged_tokens(plan.algorithm()) == 1)
        return 0;
    return static_cast<double>(plan.keys *
                               (latent_width + (2 * latent_width + 1) * merge_width(latent_width)));
}

/// What the cache has of the group of each token once that token is there: the sum of the group's latents so
/// far, each times a weight that it and the place of the group decide.
inline Expression write_merged_latents(Composer& composer, const Expression& of_tokens) {
    const Index merged = merged_tokens(composer.plan.algorithm()), keys = composer.plan.keys;
    const Expression latents = of_seen_keys(composer, of_tokens);
    const Index width = latents.extent().columns;
    const Expression places =
        composer.of_places("group_places", {0, keys, width}, "sines and cosines of the number of the group",
                           [merged, width](Place at) {
                               return sinusoid(static_cast<double>(at.row / merged), at.column, width);
                           });
    const Expression asked =
        composer.let("merge_queries", composer.projected(places, "W_merge_place", "b_merge_place"));
    const Expression told =
        composer.let("merge_keys", composer.projected(latents, "W_merge_latent", "b_merge_latent"));
    const Expression weights = composer.let("merge_weights", sigmoid_of(sum_of_columns(asked * told)),
                                            "how much a latent counts in its group");
    const Expression so_far = composer.of_places(
        "group_so_far", {0, keys, keys}, "1 for the tokens of a group up to each of its tokens",
        [merged](Place at) {
            return at.row / merged == at.column / merged && at.column <= at.row ? 1.0 : 0.0;
        });
    return composer.let("latent", product(so_far, weights * latents), "what is cached of each group so far");
}

/// Pairs of a query and the last token of a group, and of a query and the newest token that it sees, whose
/// group may not be whole.
inline Expression write_cached_pairs(Composer& composer) {
    const Index merged = merged_tokens(composer.plan.algorithm());
    const std::span<const Index> ends = composer.plan.allowed.ends();
    return composer.truth(
        "is_cached", {0, composer.plan.queries, composer.plan.keys},
        "the last token of each group that the query sees",
        [merged, ends = std::vector<Index>(ends.begin(), ends.end())](Index query, Index key) {
            const Index end = ends[static_cast<std::size_t>(query)];
            return key < end && (key + 1 == end || (key + 1) % merged == 0);
        });
}

}  // namespace headlight
