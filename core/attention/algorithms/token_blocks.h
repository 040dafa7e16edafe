#pragma once

#include "core/attention/defined_algorithms.h"

#include <algorithm>
#include <string>

namespace headlight {

/// Tokens in blocks of so many neighbours, of which the last may be shorter. Those from `real` on are
/// padding, which counts in no mean.
struct TokenBlocks {
    Index tokens, size, real;

    Index count() const { return (tokens + size - 1) / size; }
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

}  // namespace headlight
