#include "core/attention/algorithms/token_blocks.h"
#include "core/attention/component.h"
#include "core/attention/positions/pair_places.h"

#include <cstdlib>

namespace headlight {
namespace {

/// How far two tokens are from each other decides how coarsely they meet.
struct TokenHierarchy {
    explicit TokenHierarchy(const Plan& plan) : tokens(plan.keys), block(plan.algorithm().count("block")) {}
    Index tokens, block;

    /// Neighbours that are one token of this level.
    static Index width(Index level) { return Index(1) << level; }
    /// In one block of this level, or in blocks beside each other.
    bool is_near(Index level, Index i, Index j) const {
        const Index size = block * width(level);
        return std::abs(i / size - j / size) <= 1;
    }
    /// The first level that has no block beyond the next.
    Index last_level() const {
        Index level = 0;
        while (tokens > 2 * block * width(level))
            ++level;
        return level;
    }
};

bool is_causal_hierarchy(const Plan& plan) { return plan.algorithm().flag("causal"); }

/// The scores [h, n, m] of a level: of means over so many neighbours, each the number of all its pairs. A
/// decoder has a number for each query, whose mean would hold later ones.
Expression write_scores_of_level(Composer& composer, Index level) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, m = plan.keys, width = TokenHierarchy::width(level);
    const std::string number = std::to_string(level), note = "means of " + std::to_string(width);
    const bool is_causal = is_causal_hierarchy(plan);
    const Expression queries = is_causal ? composer.query
                                         : write_block_means(composer, "mean_query_" + number, composer.query,
                                                             blocks_of_queries(plan, width), note);
    const Expression keys =
        write_block_means(composer, "mean_key_" + number, composer.key, blocks_of_keys(plan, width), note);
    const Expression coarse = composer.let("scores_of_level_" + number,
                                           scaled_products(composer, queries, keys), "q · k / √d of means");
    return pick(coarse, {n, 1, {n, [=](Index i) { return is_causal ? i : i / width; }}},
                {1, m, {m, [=](Index j) { return j / width; }}});
}

/// Assigns `scores`: of near pairs q · k / √d, and of others the same of means, the coarser the farther they
/// are from each other.
Expression write_hierarchical_scores(Composer& composer) {
    const TokenHierarchy hierarchy(composer.plan);
    const Index last = hierarchy.last_level();
    std::vector<Expression> of_level{composer.let("scores_of_tokens",
                                                  scaled_products(composer, composer.query, composer.key),
                                                  "q · k / √d of each pair")};
    for (Index level = 1; level <= last; ++level)
        of_level.push_back(write_scores_of_level(composer, level));
    Expression scores = of_level.back();
    Expression halvings = 0;
    for (Index level = last - 1; level >= 0; --level) {
        const Expression near = composer.truth_of_places(
            "is_near_" + std::to_string(level), {0, composer.plan.queries, composer.plan.keys},
            "in one block of the level, or the next",
            [=](Place at) { return hierarchy.is_near(level, at.row, at.column); });
        scores = choose(near, of_level[static_cast<std::size_t>(level)], scores);
        halvings = choose(near, 0, 1) + halvings;
    }
    if (last == 0)
        halvings = composer.of_places("no_halvings", {0, composer.plan.queries, composer.plan.keys},
                                      "every pair is near", [](Place) { return 0.0; });
    composer.let("halvings", halvings, "how often two tokens have become one before the pair meets");
    return composer.let("scores", scores, "of tokens where they are near, else of means");
}

/// Pairs that are far apart share a number (Zhu and Soricut 2021).
Expression define_h_transformer(Composer& composer) {
    Expression scores = scores_of_real_keys(composer, write_hierarchical_scores(composer));
    if (is_causal_hierarchy(composer.plan))
        scores = choose(pairs_not_later(composer), scores, minus_infinity());
    return write_attended_values(composer, softmax_of(composer, "weights", scores));
}

}  // namespace

AlgorithmComponent declare_algorithms_h_transformer() {
    AlgorithmComponent component;
    component.meaning =
        "softmax of q̄ · k̄ / √d, the means over 2^l neighbours at the first level l at which both lie in one "
        "block of b such means or in blocks beside each other: exact near the diagonal, coarser the farther "
        "away (H-Transformer-1D, Zhu and Soricut 2021); in a decoder q · k̄ / √d of the keys before";
    component.options = {count_option("block", "Block b", 2, token_counts,
                                      "How many tokens of its level a block has: pairs are exact within a "
                                      "block and between neighbours. At least half the tokens: all are."),
                         flag_option("causal", "As in a decoder", false,
                                     "Keys after the query have no weight, and far keys meet it by their "
                                     "means alone: the mean of queries would hold later ones.")};
    component.needs_one_end = true;
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "h_transformer", "near and far are places of one text");
    };
    component.declared_stages = {made_stage("halvings", "Halvings",
                                            {"how often two tokens become one before the pair meets"},
                                            {.lights = "scores", .role = StageRole::scores}),
                                 declared_scores_stage({"of tokens where they are near, else of means",
                                                        {{"query"}, times_keys_of("key")},
                                                        "means,\n÷ √d\n→"}),
                                 declared_weights_stage()};
    component.define = define_h_transformer;
    return component;
}

}  // namespace headlight
