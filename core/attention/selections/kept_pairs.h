#pragma once

#include "core/attention/composer.h"
#include "core/attention/options.h"

#include <algorithm>

namespace headlight {

// What definitions of selections share: which pairs [h, n, m] they keep, true or false.

inline Index selection_count(const Composer& composer, const char* name) {
    return composer.plan.selection().count(name);
}

/// Scores over the normaliser's temperature, and minus infinity where a pair may not meet.
inline Expression open_over_temperature(Composer& composer, const Expression& scores) {
    const double temperature = composer.plan.spec.normalizer.temperature;
    return composer.open_or_forbidden(temperature == 1 ? scores : scores / temperature);
}

/// Returns `kept` without the pairs that the mask forbids.
inline Expression and_allowed(Composer& composer, const Expression& kept) {
    return composer.mask_excludes() ? both_of(kept, composer.allowed()) : kept;
}

// Blocks of `size` keys, one after another.

inline Index blocks_of(const Composer& composer, Index size) {
    return parts_of_size(composer.plan.keys, size);
}

/// Returns for each key the number of its block, [h, n, blocks] to [h, n, m].
inline Expression of_each_key(const Composer& composer, const Expression& of_blocks, Index size) {
    std::vector<Index> blocks;
    for (Index key = 0; key < composer.plan.keys; ++key)
        blocks.push_back(key / size);
    return some_columns(of_blocks, blocks);
}

/// Returns how many keys of a block a query sees, by value.
inline std::function<Index(Index query, Index block)> seen_in_blocks(const Composer& composer, Index size) {
    return [size, keys = composer.plan.keys, excludes = composer.mask_excludes(),
            may_meet = composer.may_meet](Index query, Index block) {
        Index count = 0;
        for (Index key = block * size; key < std::min((block + 1) * size, keys); ++key)
            count += !excludes || may_meet(query, key) ? 1 : 0;
        return count;
    };
}

/// Returns `numbers` [.., n, blocks] with a larger one than any for the block of each query’s own place, of
/// which it sees a key, where queries and keys are one sequence.
inline Expression own_block_first(Composer& composer, const Expression& numbers, Index size) {
    constexpr double before_all = 1e200;
    const bool has_own = composer.plan.spec.source.type == SourceType::self;
    const Expression first =
        composer.truth("own_block", {0, composer.plan.queries, blocks_of(composer, size)},
                       "the block of a query’s own place",
                       [has_own, size, seen = seen_in_blocks(composer, size)](Index query, Index block) {
                           return has_own && query / size == block && seen(query, block) > 0;
                       });
    return choose(first, before_all, numbers);
}

/// Returns the keys of the blocks that have the largest numbers [h, n, blocks].
inline Expression best_blocks(Composer& composer, const Expression& numbers, Index size, Index kept) {
    const Expression ranks = composer.let("block_ranks", rank_of(numbers), "how many blocks come before");
    return and_allowed(composer, is_above(static_cast<double>(kept), of_each_key(composer, ranks, size)));
}

}  // namespace headlight
