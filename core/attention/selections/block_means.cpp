#include "core/attention/key_blocks.h"
#include "core/attention/selections/kept_pairs.h"

#include <algorithm>

namespace headlight {
namespace {

/// The mean of the keys; a block's gate is its product with the query, without a scale.
struct Mean {
    static Index size(Index d) { return d; }
    static void begin(double* mean, Index d) { std::fill_n(mean, d, 0.0); }
    static void include(double* mean, const auto* key, Index d) {
        for (Index c = 0; c < d; ++c)
            mean[c] += static_cast<double>(key[c]);
    }
    static void finish(double* mean, Index d, Index count) {
        for (Index c = 0; c < d && count > 0; ++c)
            mean[c] /= static_cast<double>(count);
    }
    static void ask(const auto* query, Index d, double* asked) { std::copy_n(query, d, asked); }
};

std::optional<Expression> define_block_means(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Index size = selection_count(composer, "size"), blocks = blocks_of(composer, size);
    const Expression products = composer.let(
        "block_products", composer.where_open(product_transposed(composer.query, composer.key), 0),
        "q · k of the pairs that may meet");
    const Expression members =
        composer.constant("block_members", {0, plan.keys, blocks}, "1 where a key is in a block",
                          [=](Index, Index row, Index column) { return row / size == column ? 1.0 : 0.0; });
    const Expression counts =
        composer.constant("block_counts", {0, plan.queries, blocks}, "keys of a block that a query sees",
                          [seen = seen_in_blocks(composer, size)](Index, Index row, Index column) {
                              return static_cast<double>(seen(row, column));
                          });
    const Expression sums = composer.let("block_sums", product(products, members), "of the keys of a block");
    const Expression means = composer.let(
        "block_means", choose(is_above(counts, 0), sums / larger_of(counts, 1), minus_infinity()),
        "q · the mean key of each block");
    composer.let("block_gates", of_each_key(composer, means, size), "those of each key's block");
    // A query's own block comes before all others, in self attention.
    return best_blocks(composer, own_block_first(composer, means, size), size,
                       selection_count(composer, "blocks"));
}

}  // namespace

SelectionComponent declare_selections_block_means() {
    SelectionComponent component;
    component.meaning =
        "keys of as many blocks as are set: those whose mean has the largest product with the query; of "
        "equal ones the first is taken (MoBA, Lu et al. 2025). In self attention the query’s own block is "
        "always one of them; in cross attention a query has none";
    component.options = {
        count_option("size", "Block", 3, token_counts,
                     "How many keys a block has; the last may have fewer. The paper has 512 and more."),
        count_option("blocks", "Blocks kept", 2, {1, 65536},
                     "How many blocks a query keeps, its own included: at most blocks × size keys.")};
    component.check = [](const Plan& plan) { require_one_width(plan, "block_means"); };
    component.stages = [](const Plan&, StageList& list) { list.add_map("block_gates"); };
    component.memory = [](const Plan& plan, const RunNeeds&) {
        return select_blocks_memory(plan, plan.selection().count("size"), Mean::size(plan.head_key_width()));
    };
    component.declared_stages = {{"block_gates", "Gates of the blocks"}};
    component.steps = [](const Plan& plan, auto& pipeline) {
        const Options& options = plan.selection();
        select_blocks<Mean>(plan, pipeline,
                            {.size = options.count("size"),
                             .kept = options.count("blocks"),
                             .keeps_own = true,
                             .stage = "block_gates"});
    };
    component.define = define_block_means;
    component.reads_one_sequence = [](const AttentionSpec&) {
        return "a query’s own block is always kept here";
    };
    return component;
}

}  // namespace headlight
