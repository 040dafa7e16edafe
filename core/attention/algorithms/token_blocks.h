#pragma once

#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/pair_places.h"
#include "core/graph/row_formulas.h"

#include <algorithm>

namespace headlight {

/// Tokens in blocks of so many neighbours, of which the last may be shorter. Those from `real` on are
/// padding, which counts in no mean.
struct TokenBlocks {
    Index tokens, size, real;

    Index count() const { return parts_of_size(tokens, size); }
    Index real_in(Index block) const { return std::clamp<Index>(real - block * size, 0, size); }
};

/// The keys; padding is the same for all queries.
inline TokenBlocks blocks_of_keys(const Plan& plan, Index size) {
    return {plan.keys, size, plan.queries > 0 ? plan.allowed.end(0) : 0};
}
/// The queries: those of one sequence are padded where its keys are.
inline TokenBlocks blocks_of_queries(const Plan& plan, Index size) {
    if (plan.spec.source.type == SourceType::self)
        return blocks_of_keys(plan, size);
    return {plan.queries, size, plan.queries};
}

/// Means [.., blocks, d] of the rows of each block of `x` [.., tokens, d]; 0 where a block is padding alone.
inline Expression write_block_means(Composer& composer, const std::string& name, const Expression& x,
                                    const TokenBlocks& blocks, const std::string& note) {
    const Expression means = composer.of_places(
        name + "_shares", {0, blocks.count(), blocks.tokens}, "means of neighbours", [blocks](Place at) {
            const bool counts = at.column / blocks.size == at.row && at.column < blocks.real;
            return counts ? 1 / static_cast<double>(blocks.real_in(at.row)) : 0.0;
        });
    Expression real = x;
    if (blocks.real < blocks.tokens)
        real = choose(composer.truth(name + "_real", {0, blocks.tokens, 1}, "tokens that are no padding",
                                     [=](Index row, Index) { return row < blocks.real; }),
                      x, 0);
    return composer.let(name, product(means, real), note);
}

/// Maps of the means of blocks: those of keys that are not padding alone meet the means of queries.
struct BlockMap {
    Expression weights;  ///< [h, blocks, blocks], the softmax of their scores, as the stage `coarse_weights`
    Expression ranks;    ///< how many blocks of its row have a larger score
};

/// The map of blocks, of their mean queries and keys [h, blocks, d].
inline BlockMap write_block_map(Composer& composer, const Expression& queries, const Expression& keys,
                                const TokenBlocks& known) {
    const Expression is_real_block =
        composer.truth_of_places("is_real_block", {0, 1, known.count()}, "blocks that are not padding alone",
                                 [known](Place at) { return known.real_in(at.column) > 0; });
    const Expression coarse = composer.let(
        "coarse_scores", choose(is_real_block, scaled_products(composer, queries, keys), minus_infinity()),
        "q · k / √d of means");
    const Expression weights = softmax_of(composer, "coarse_weights", coarse);
    return {weights,
            composer.let("block_ranks",
                         rank_of(choose(is_real_block, products_in_order(queries, keys), minus_infinity())),
                         "how many blocks have a larger score")};
}

/// Keys [1, m] that are no padding.
inline Expression real_keys_of_blocks(Composer& composer, const TokenBlocks& known) {
    return composer.truth_of_places("is_real_key", {0, 1, known.tokens}, "keys that are no padding",
                                    [known](Place at) { return at.column < known.real; });
}

/// Assigns the softmax over the tokens [h, n, m] of the `selected` blocks of the largest scores of each block
/// of queries, as the stage `fine_weights`.
inline Expression write_fine_weights(Composer& composer, const BlockMap& map, const TokenBlocks& known,
                                     Index selected) {
    const Expression is_best =
        is_above(static_cast<double>(selected), of_block_pairs(composer, map.ranks, known.size));
    const Expression scores =
        composer.let("fine_scores",
                     choose(both_of(real_keys_of_blocks(composer, known), is_best),
                            scaled_products(composer, composer.query, composer.key), minus_infinity()),
                     "q · k / √d in the blocks of the largest scores");
    return softmax_of(composer, "fine_weights", scores);
}

/// The stage of the weights of a block map.
inline DeclaredStage declared_block_weights(const std::string& subtitle) {
    return made_stage(
        "coarse_weights", "Weights of blocks", {subtitle},
        between_parts("block", "block", {.colours_of = "weights", .lights = "weights", .is_share = true}));
}

/// The stage of the softmax over tokens of the best blocks.
inline DeclaredStage declared_fine_weights() {
    return declared_shares_stage("fine_weights", "Weights in the best blocks", {"softmax over their tokens"});
}

}  // namespace headlight
