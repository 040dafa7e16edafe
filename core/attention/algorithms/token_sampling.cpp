#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <algorithm>

namespace headlight {
namespace {

/// The length of what all heads have of each token, [m, 1].
Expression lengths_of_values(Composer& composer) {
    const Expression all = of_seen_keys(composer, join_heads(composer.value));
    const Expression largest = composer.let("largest_of_values", not_zero(largest_amount(all)));
    const Expression parts = all / largest;
    return composer.let("value_lengths", largest * root_of(sum_of_columns(parts * parts)), "|v|");
}

/// 1 for the first token, which stands for the class, and for those that evenly spaced points of the
/// cumulated significance fall next to (Fayyaz et al. 2022; fixed points as in the authors' code).
Expression write_sampled_tokens(Composer& composer, const Expression& weights, Index real) {
    const Index tokens = composer.plan.keys, points = composer.plan.algorithm().count("points");
    const Expression is_other =
        composer.truth("is_other", {0, 1, tokens}, "tokens beside the first that are no padding",
                       [real](Index, Index token) { return token > 0 && token < real; });
    const Expression of_class =
        composer.let("class_weights_of_heads", sum_of_heads(composer, some_rows(weights, {0})),
                     "what the first token takes of each, all heads together");
    const Expression raw = composer.let(
        "raw_significance", choose(is_other, of_class * transposed(lengths_of_values(composer)), 0),
        "times the length of its value");
    const Expression significance =
        composer.let("significance_row", raw / not_zero(sum_of_columns(raw)), "over their sum");
    composer.let("significance", transposed(significance), "how much each token means to the first");

    const Expression order = composer.let("significance_order", rank_of(-significance), "the least first");
    const Expression up_to = composer.let(
        "cumulated_significance", product(significance, as_number(is_at_least(order, transposed(order)))),
        "of each token and of all that mean less");
    const Expression least =
        composer.let("least_cumulated", -maximum_of_columns(choose(is_other, -up_to, minus_infinity())));
    const Expression most =
        composer.let("most_cumulated", maximum_of_columns(choose(is_other, up_to, minus_infinity())));
    const Expression spread = composer.let("spread_significance", (up_to - least) / not_zero(most - least),
                                           "from 0 for the least to 1");
    const Expression first_point = composer.let(
        "first_point", -maximum_of_columns(choose(both_of(is_other, is_above(spread, 0)), -spread, -1)),
        "that of the least but one");
    const Expression steps =
        composer.of_places("steps_of_points", {0, points, 1}, "from 0 to 1", [points](Place at) {
            return static_cast<double>(at.row) / static_cast<double>(points - 1);
        });
    const Expression places = composer.let("sampling_points", first_point + (1 - first_point) * steps,
                                           "as far from one to the next");

    const Expression may_be_taken =
        both_of(is_other, is_above(static_cast<double>(points),
                                   rank_of(choose(is_other, significance, minus_infinity()))));
    const Expression nearness =
        composer.let("nearness", choose(may_be_taken, -absolute_of(places - spread), minus_infinity()),
                     "of each point to each token, among as many as there are points");
    const Expression taken =
        composer.let("taken_by_points", as_number(is_equal(rank_of(nearness), 0)), "the nearest token");
    return composer.let("sampled_row", maximum_of_rows(taken), "1 where some point takes the token");
}

Expression define_token_sampling(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index real = plan.queries > 0 ? plan.allowed.end(0) : 0;
    const Expression scores = write_scaled_products(composer);
    const Expression all = softmax_of_open(composer, "all_weights", scores);
    // A single other token is the least and the most at once.
    const bool has_choice = real > 2;
    const Expression is_first = composer.truth(
        "is_kept_anyway", {0, plan.queries, 1}, "the first token, or all that there are",
        [has_choice, real](Index token, Index) { return token == 0 || (!has_choice && token < real); });
    const Expression always = as_number(is_first);
    const Expression kept = composer.let(
        "sampled",
        has_choice ? larger_of(always, transposed(write_sampled_tokens(composer, all, real))) : always,
        "1 for tokens that are kept");
    return write_attended_values(composer, composer.let("weights", choose(is_above(kept, 0.5), all, 0),
                                                        "rows of tokens that are kept"));
}

}  // namespace

AlgorithmComponent declare_algorithms_token_sampling() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(q · k / √d) V for the tokens that are kept, and 0 for the others: the first, and those next "
        "to evenly spaced points of the sum of s_j = Σ_h A_1j |v_j| from the least on; a token that means "
        "little is seldom the nearest (ATS, Fayyaz et al. 2022)";
    component.options = {
        count_option("points", "Points", 8, logarithmic_range(2, 65536),
                     "How many points each take the token that is nearest; several may take one. The authors "
                     "have as many as the image has patches. With fewer points than tokens only as many "
                     "tokens, those that mean most, can be taken.")};
    component.needs_one_end = true;
    component.why_one_end = "what the first token takes of all of them says which are kept";
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "token_sampling", "a token that is kept both looks and is looked at");
    };
    component.declared_stages = {
        declared_scores_stage(),
        declared_shares_stage("all_weights", "Weights of all tokens",
                              {"softmax of each row", {{"scores"}}, "softmax\n→"}),
        made_stage("significance", "Significance",
                   {"weight of the first row × |v|, of all heads, over their sum",
                    {{"all_weights"}, keys_of("value", "and")},
                    "first row\n× |v|\n→"},
                   {.lights = "sampled", .is_share = true}),
        made_stage("sampled", "Tokens that are kept",
                   {"the first, and the nearest to a point of the running sum",
                    {{"significance"}},
                    "running sum,\npoints\n→"},
                   {.lights = "weights", .is_share = true}),
        declared_weights_stage(
            {"rows of the tokens that are kept", {{"all_weights"}, {"sampled", "and"}}, "other rows\n0\n→"},
            {.is_share = true})};
    component.define = define_token_sampling;
    return component;
}

}  // namespace headlight
