#include "core/attention/options.h"
#include "core/program/algorithms.h"

#include <algorithm>

namespace headlight {

/// Three maps, added up by gates: the means of blocks, the keys of the blocks that matter most, the newest
/// keys.
Expression write_native_sparse(Composer& composer) {
    const Plan& plan = composer.plan;
    const Options& options = plan.spec.algorithm.options;
    const Index n = plan.queries, m = plan.keys, size = option<Index>(options, "block");
    const Index kept = option<Index>(options, "selected"), window = option<Index>(options, "window");
    const Index whole = m / size, blocks = (m + size - 1) / size;
    const Expression root = root_of(static_cast<double>(plan.head_key_width()));
    const auto end = [&](Index query) { return plan.allowed.end(query); };
    const auto own_block = [&](Index query) { return std::max<Index>(end(query) - 1, 0) / size; };

    // Empty for a text shorter than a block, which has no mean.
    std::optional<Expression> means;
    if (whole > 0) {
        const Expression pooling = composer.constant(
            "block_pooling", {0, whole, m}, "means of whole blocks", [=](Index, Index row, Index column) {
                return column / size == row ? 1.0 / static_cast<double>(size) : 0.0;
            });
        const Expression compressed =
            composer.let("compressed_key", product(pooling, composer.key), "the mean key of each block");
        const Expression seen =
            composer.truth("seen_blocks", {0, n, whole}, "blocks that a query sees whole",
                           [&](Index row, Index column) { return (column + 1) * size <= end(row); });
        means =
            softmax_of(composer, "block_shares",
                       choose(seen, product_transposed(composer.query, compressed) / root, minus_infinity()));
    }

    // The query's own block, the first one and the one before its own come before all others.
    const Expression first = composer.constant(
        "sure_blocks", {0, n, blocks}, "how far before all others a block comes",
        [&](Index, Index row, Index column) {
            const Index own = own_block(row);
            return column == own ? 3e100 : column == 0 ? 2e100 : column + 1 == own ? 1e100 : 0.0;
        });
    const Expression is_before =
        composer.truth("blocks_so_far", {0, n, blocks}, "blocks up to the query’s own",
                       [&](Index row, Index column) { return column <= own_block(row); });
    Expression importance = first;
    if (means) {
        const Index group = plan.heads / plan.kv_heads;
        const Expression of_group =
            composer.let("importance",
                         mix_heads(composer.constant("group_means", {0, plan.heads, plan.heads},
                                                     "means of heads that share keys",
                                                     [=](Index, Index row, Index column) {
                                                         return row / group == column / group
                                                                    ? 1.0 / static_cast<double>(group)
                                                                    : 0.0;
                                                     }),
                                   *means),
                         "of each block for the heads that share its keys");
        std::vector<Expression> parts{of_group};
        if (blocks > whole)
            parts.push_back(composer.constant("last_block", {composer.heads, n, blocks - whole},
                                              "a block that is not whole",
                                              [](Index, Index, Index) { return 0.0; }));
        importance = first + composer.let("importance_of_blocks", join_columns(parts));
    }
    const Expression ranks = composer.let(
        "block_ranks", rank_of(composer.let("block_order", choose(is_before, importance, minus_infinity()))),
        "how many blocks come before");
    std::vector<Index> block_of_key;
    for (Index key = 0; key < m; ++key)
        block_of_key.push_back(key / size);
    const Expression is_seen = composer.truth("seen_keys", {0, n, m}, "keys that a query sees",
                                              [&](Index row, Index column) { return column < end(row); });
    const Expression is_new = composer.truth(
        "newest_keys", {0, n, m}, "the newest keys that a query sees",
        [&](Index row, Index column) { return column < end(row) && column + window >= end(row); });
    const Expression scores =
        composer.let("products", product_transposed(composer.query, composer.key) / root, "q · k / √d");
    const Expression is_kept =
        both_of(is_seen, is_above(static_cast<double>(kept), some_columns(ranks, block_of_key)));
    const Expression selected =
        softmax_of(composer, "of_selected_blocks", choose(is_kept, scores, minus_infinity()));
    const Expression newest =
        softmax_of(composer, "of_newest_keys", choose(is_new, scores, minus_infinity()));
    const Expression gates =
        composer.let("gates_of_branches",
                     sigmoid_of(split_heads(composer.projected(composer.query_tokens, "W_branch", "b_branch"),
                                            composer.heads)),
                     "how much of each of the three maps is taken");
    Expression weights = some_columns(gates, {1}) * selected + some_columns(gates, {2}) * newest;
    if (means) {
        for (Index& block : block_of_key)
            block = std::min(block, whole - 1);
        const Expression share =
            composer.constant("share_of_block", {0, 1, m}, "what a key has of its block’s share",
                              [=](Index, Index, Index column) {
                                  return column < whole * size ? 1.0 / static_cast<double>(size) : 0.0;
                              });
        weights = some_columns(gates, {0}) * some_columns(*means, block_of_key) * share + weights;
    }
    return write_attended_values(composer,
                                 composer.let("weights", weights, "what each query gives to each key"));
}

}  // namespace headlight
