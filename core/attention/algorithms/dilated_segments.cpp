#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <algorithm>

namespace headlight {
namespace {

/// Segments of `size` tokens, of which a head takes every `step`th.
struct DilatedPattern {
    Index size = 1, step = 1;
    bool holds(Index head, Index query, Index key) const {
        const Index offset = head % step;
        return query / size == key / size && query % size % step == offset && key % size % step == offset;
    }
};

std::vector<DilatedPattern> dilated_patterns(const Plan& plan) {
    const Options& options = plan.algorithm();
    const Index growth = options.count("growth"), count = options.count("patterns");
    std::vector<DilatedPattern> patterns{{options.count("segment"), 1}};
    // A segment of all tokens does not grow, but its steps do.
    while (std::ssize(patterns) < count)
        patterns.push_back(
            {std::min(patterns.back().size, plan.keys) * growth, patterns.back().step * growth});
    return patterns;
}

/// Where the outputs of several softmaxes are mixed by their denominators, each pair counts as often as a
/// pattern holds it, and one sum divides them all.
Expression define_dilated_segments(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries;
    const std::vector<DilatedPattern> patterns = dilated_patterns(plan);
    const Expression scores = write_scaled_products(composer);
    const Extent pairs{composer.heads, n, n};  // each head begins at another place
    std::vector<Expression> holds;
    std::optional<Expression> count;
    for (const DilatedPattern& pattern : patterns) {
        holds.push_back(composer.truth_of_places(
            numbered("holds_", std::ssize(holds) + 1), pairs, "pairs of the pattern",
            [pattern](Place at) { return pattern.holds(at.head, at.row, at.column); }));
        const Expression once = as_number(holds.back());
        count = count ? *count + once : once;
    }
    const Expression counts = composer.let("pattern_counts", composer.where_open(*count, 0),
                                           "how many patterns hold the pair, if it may meet");
    const Expression seen = composer.let("seen_scores", choose(is_above(counts, 0), scores, minus_infinity()),
                                         "scores that some pattern holds");
    const Expression largest = composer.let("seen_maximum", maximum_of_columns(seen));
    const Expression exponentials = composer.let("seen_exponentials", exp_of(seen - finite_maximum(largest)));
    std::vector<Expression> sums;
    for (const Expression& of_pattern : holds)
        sums.push_back(sum_of_columns(choose(of_pattern, exponentials, 0)));
    const Expression denominators =
        composer.let("pattern_sums", all_columns(sums), "the denominator of each pattern’s softmax");
    const Expression sum = composer.let("sum_of_patterns", not_zero(sum_of_columns(denominators)));
    composer.let("pattern_shares", denominators / sum, "how much each pattern counts");
    return write_attended_values(composer, composer.let("weights", counts * exponentials / sum,
                                                        "softmax over all that the patterns hold"));
}

}  // namespace

AlgorithmComponent declare_algorithms_dilated_segments() {
    AlgorithmComponent component;
    component.meaning =
        "A_ij = c_ij exp(q · k / √d) / Σ c exp(q · k / √d), c_ij the number of patterns that hold the pair: "
        "segments of w, a w, a² w ... tokens, of which every 1st, a-th, a²-th ... takes part, counted from "
        "another one in each head; softmaxes mixed by their denominators (Ding et al. 2023)";
    component.options = {
        count_option(
            "segment", "First segment w", 4, token_counts,
            "How many tokens a segment of the first pattern has; each of them looks at all of them."),
        count_option("growth", "Growth a", 2, {2, 64},
                     "How many times longer segments and steps are in each pattern than in the one before."),
        count_option("patterns", "Patterns", 2, {1, 8}, "How many patterns are mixed.")};
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "dilated_segments", "queries and keys are those of one segment");
    };
    component.takes_any_mask = true;
    component.declared_stages = {
        declared_scores_stage(),
        made_stage("pattern_counts", "Patterns of each pair", {"how many patterns hold it"},
                   {.lights = "weights", .role = StageRole::weights, .leaves_out_masked = true}),
        made_stage("pattern_shares", "Shares of the patterns",
                   {"each softmax’s denominator over their sum",
                    {{"scores"}, {"pattern_counts", "and"}},
                    "denominators,\n÷ their sum\n→"},
                   {.lights = "weights", .has_features = true, .is_share = true}),
        declared_weights_stage({"softmax over all that the patterns hold, as often as they do",
                                {{"scores"}, {"pattern_counts", "and"}},
                                "exp, × counts,\n÷ sum\n→"},
                               {.is_share = true})};
    component.define = define_dilated_segments;
    return component;
}

}  // namespace headlight
