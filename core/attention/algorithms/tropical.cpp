#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/pair_places.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

/// 256 queries and as many keys of 64 features.
constexpr Index most_numbers = Index(256) * 256 * 64;

/// Assigns `scores`: minus the spread of q − k over the features, from its largest to its smallest.
Expression write_tropical_scores(Composer& composer) {
    const Index n = composer.plan.queries, m = composer.plan.keys, d = composer.plan.head_key_width();
    const Places features{1, d, counted(0, d)};
    const Expression differences = composer.let(
        "pair_differences",
        pick(composer.query, {n * m, 1, {n * m, [=](Index pair) { return pair / m; }}}, features) -
            pick(composer.key, {n * m, 1, {n * m, [=](Index pair) { return pair % m; }}}, features),
        "q − k, a row for each pair of a query and a key");
    const Expression largest = composer.let("largest_difference", maximum_of_columns(differences)),
                     smallest = composer.let("smallest_difference", -maximum_of_columns(-differences));
    const Expression of_pairs = composer.let("spread_of_pairs", largest - smallest, "Hilbert’s distance");
    return composer.let("scores", -from_column(of_pairs, n, m, [=](Index i, Index j) { return i * m + j; }),
                        "minus the distance of each pair");
}

/// o_ic = max_j (s_ij + v_jc), and how often each key is the first that has it (Hashemi et al. 2025).
Expression define_tropical(Composer& composer) {
    const Index n = composer.plan.queries, m = composer.plan.keys, d = composer.plan.head_value_width();
    const Expression scores = write_tropical_scores(composer);
    const Expression open = composer.mask_excludes()
                                ? composer.let("open_scores", composer.open_or_forbidden(scores),
                                               "minus infinity where the mask forbids")
                                : scores;
    const Places keys{1, m, counted(0, m)};
    const Places feature{n * d, 1, {n * d, [=](Index row) { return row % d; }}};
    const Expression offers =
        composer.let("offers",
                     pick(open, {n * d, 1, {n * d, [=](Index row) { return row / d; }}}, keys) +
                         pick(composer.value, keys, feature),
                     "s + v, a row for each query and feature, a column for each key");
    const Expression best =
        composer.let("best_offers", maximum_of_columns(offers), "the largest of each row");
    const Expression is_best = composer.let(
        "is_best", choose(both_of(is_equal(offers, best), is_above(offers, minus_infinity())), 1, 0),
        "1 for the largest");
    const Expression wins = composer.let("wins", choose(is_equal(is_best * cumulative_sum(is_best), 1), 1, 0),
                                         "1 for the first of the largest");
    const Expression of_features =
        pick(wins, places_of(n * m, d, [=](Index pair, Index c) { return pair / m * d + c; }),
             {n * m, 1, {n * m, [=](Index pair) { return pair % m; }}});
    const Expression counts =
        composer.let("wins_of_pairs", sum_of_columns(of_features), "in how many features each pair wins");
    composer.let("weights",
                 from_column(counts, n, m, [=](Index i, Index j) { return i * m + j; }) /
                     static_cast<double>(d),
                 "the share of the features in which the key wins");
    const Expression won = from_column(best, n, d, [=](Index i, Index c) { return i * d + c; });
    return composer.let("context", composer.mask_excludes() ? finite_maximum(won) : won,
                        "the largest of each feature");
}

}  // namespace

AlgorithmComponent declare_algorithms_tropical() {
    AlgorithmComponent component;
    component.meaning =
        "s_ij = −(max_c(q_ic − k_jc) − min_c(q_ic − k_jc)), o_ic = max_j(s_ij + v_jc): a sum is a maximum "
        "and a product a sum (Hashemi et al. 2025); the weights shown are the share of the features in "
        "which a key has the maximum, of equal ones the first";
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "tropical",
                              "turning both vectors changes the spread of their difference, whatever their "
                              "distance");
        const Index width = std::max(plan.head_key_width(), plan.head_value_width());
        if (plan.queries * plan.keys * width > most_numbers)
            throw Error({"tropical algorithm", "tokens",
                         "at most " + std::to_string(most_numbers) +
                             " numbers of pairs, queries × keys × features of a head",
                         std::to_string(plan.queries * plan.keys * width)});
    };
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_scores_stage({"minus the spread of q − k over the features",
                               {{"query"}, keys_of("key", "−")},
                               "min − max\nof each pair\n→"}),
        made_stage("offers", "Offers",
                   {"s + v, a row for each feature of each query",
                    {{"scores"}, keys_of("value", "and")},
                    "s + v\n→"},
                   {.lights = "context", .is_of_features = true}),
        made_stage("weights", "Weights",
                   {"the share of the features in which the key wins", {{"offers"}}, "count of\nmaxima\n→"},
                   {.lights = "output", .role = StageRole::weights, .is_share = true}),
        declared_own_context_stage(
            {"the largest offer for each feature", {{"offers"}}, "max of\neach row\n→"})};
    component.define = define_tropical;
    return component;
}

}  // namespace headlight
