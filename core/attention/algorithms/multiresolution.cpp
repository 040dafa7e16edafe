#include "core/attention/algorithms/token_blocks.h"
#include "core/attention/component.h"
#include "core/attention/positions/pair_places.h"

namespace headlight {
namespace {

/// Which blocks are looked at token by token, [h, n, m] of 1 and 0: those of the largest scores of the whole
/// map, of equal ones the first, and blocks of padding after all others.
Expression write_refined_pairs(Composer& composer, const Expression& coarse, const TokenBlocks& of_queries,
                               const TokenBlocks& of_keys) {
    const Index rows = coarse.extent().rows, columns = coarse.extent().columns, size = of_keys.size;
    Expression worth = coarse;
    if (of_keys.real < of_keys.tokens)
        worth =
            choose(composer.truth("has_real_tokens", {0, rows, columns}, "blocks that are not all padding",
                                  [=](Index row, Index column) {
                                      return of_queries.real_in(row) > 0 && of_keys.real_in(column) > 0;
                                  }),
                   coarse, minus_infinity());
    const Index all = rows * columns;
    const Expression in_a_row =
        composer.let("scores_in_a_row",
                     pick(worth, places_of(1, all, [=](Index, Index at) { return at / columns; }),
                          places_of(1, all, [=](Index, Index at) { return at % columns; })),
                     "one block after another");
    const Expression ranks = composer.let("block_ranks", rank_of(in_a_row), "how many blocks come before");
    const auto refined = static_cast<double>(composer.plan.algorithm().count("refined"));
    const Index n = composer.plan.queries, m = composer.plan.keys;
    return composer.let(
        "refined_pairs",
        as_number(is_above(
            refined, from_row(ranks, n, m, [=](Index i, Index j) { return i / size * columns + j / size; }))),
        "1 for pairs of the blocks that are looked at again");
}

/// A coarse map that is refined where it is largest (Zeng et al. 2022, MRA-2).
Expression define_multiresolution(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index size = composer.plan.algorithm().count("block");
    const TokenBlocks of_queries = blocks_of_queries(plan, size), of_keys = blocks_of_keys(plan, size);
    const Expression root = root_of_head_width(composer);
    const Expression queries =
        write_block_means(composer, "mean_query", composer.query, of_queries, "the mean of each block");
    const Expression keys =
        write_block_means(composer, "mean_key", composer.key, of_keys, "the mean of each block");
    const Expression coarse =
        composer.let("coarse_scores", product_transposed(queries, keys) / root, "q · k / √d of the means");
    const Expression refined = write_refined_pairs(composer, coarse, of_queries, of_keys);
    const Expression of_blocks = of_block_pairs(composer, coarse, size);
    const Expression is_refined = is_above(refined, 0.5);
    const Expression scores = composer.let(
        "scores", choose(is_refined, product_transposed(composer.query, composer.key) / root, of_blocks),
        "of tokens in refined blocks, else of means");
    const bool keeps_coarse = composer.plan.algorithm().flag("coarse");
    const Expression open = keeps_coarse ? scores : choose(is_refined, scores, minus_infinity());
    return write_attended_values(composer,
                                 softmax_of(composer, "weights", scores_of_real_keys(composer, open)));
}

}  // namespace

AlgorithmComponent declare_algorithms_multiresolution() {
    AlgorithmComponent component;
    component.meaning =
        "softmax of q̄ · k̄ / √d of the means of blocks, but of q · k / √d in the R blocks of the map in which "
        "that is largest; of equal ones the first (MRA-2, Zeng et al. 2022)";
    component.options = {
        count_option("block", "Block", 3, token_counts,
                     "How many neighbouring tokens are one in the coarse map. The paper has 32."),
        count_option("refined", "Refined blocks R", 4, logarithmic_range(0, 65536),
                     "How many blocks of the map, those of the largest scores, are looked at token by token; "
                     "all: exact attention.",
                     "none"),
        flag_option("coarse", "Coarse blocks", true,
                    "Whether other blocks keep the score of their means (MRA-2) or are left out (MRA-2-s).")};
    component.needs_one_end = true;
    component.declared_stages = {
        made_stage(
            "coarse_scores", "Coarse scores",
            {"q · k / √d of the means of blocks", {{"query"}, times_keys_of("key")}, "means,\n÷ √d\n→"},
            between_parts("block", "block", {.lights = "scores"})),
        made_stage("refined_pairs", "Refined pairs",
                   {"1 in the blocks of the largest scores", {{"coarse_scores"}}, "the largest\n→"},
                   {.lights = "scores", .role = StageRole::scores, .is_share = true}),
        declared_scores_stage(
            {"of tokens in refined blocks, else of means", {{"refined_pairs"}, {"coarse_scores", "and"}}}),
        declared_weights_stage()};
    component.define = define_multiresolution;
    return component;
}

}  // namespace headlight
