#include "core/attention/arithmetic_text.h"
#include "core/attention/component.h"
#include "core/attention/explained_cell.h"
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
    static double number(const auto* query, const double* mean, Index d) { return dot(query, mean, d); }
};

/// The product of the query with the mean of the keys of the cell's block that it sees.
Arithmetic explain_block_means(const ExplainedCell& cell, std::string_view stage) {
    if (stage != "block_gates")
        return {};
    const Index size = option<Index>(cell.plan.spec.selection.options, "size");
    const auto query = cell.row_of(cell.compared_query(), cell.head, cell.row);
    const Index first = cell.column / size * size, last = std::min(first + size, cell.plan.keys);
    std::vector<double> mean(query.size(), 0.0);
    Index seen = 0;
    for (Index key = first; key < last; ++key)
        if (cell.counts(key)) {
            Mean::include(mean.data(),
                          cell.row_of(cell.compared_key(), cell.plan.kv_head(cell.head), key).data(),
                          std::ssize(mean));
            ++seen;
        }
    if (seen == 0)
        return "−∞, for the mask forbids every key of the block";
    Mean::finish(mean.data(), std::ssize(mean), seen);
    std::vector<Factors> terms;
    for (std::size_t c = 0; c < query.size(); ++c)
        terms.push_back({query[c], mean[c]});
    return "q · mean of " + std::to_string(seen) + (seen == 1 ? " key" : " keys") + " of block " +
           std::to_string(first / size + 1) + " = " + sum_of_products(terms);
}

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
    // A query's own block comes before all others, in self attention.
    const Expression means = composer.let(
        "block_means",
        own_block_first(
            composer,
            choose(is_above(counts, 0), product(products, members) / larger_of(counts, 1), minus_infinity()),
            size),
        "q · the mean key of each block");
    return best_blocks(composer, means, size, selection_count(composer, "blocks"));
}

}  // namespace

SelectionComponent declare_selections_block_means() {
    SelectionComponent component;
    component.meaning =
        "keys of the `blocks` blocks whose mean has the largest product with the query; of equal "
        "ones the first is taken (MoBA, Lu et al. 2025). In self attention the query’s own block is always "
        "one "
        "of them; in cross attention a query has none";
    component.options = {
        {.name = "size",
         .label = "Block",
         .standard = Index(3),
         .minimum = 1,
         .maximum = 65536,
         .logarithmic = true,
         .help = "How many keys a block has; the last may have fewer. The paper has 512 and more."},
        {.name = "blocks",
         .label = "Blocks kept",
         .standard = Index(2),
         .minimum = 1,
         .maximum = 65536,
         .help = "How many blocks a query keeps, its own included: at most blocks × size keys."}};
    component.check = [](const Plan& plan) { require_one_width(plan, "block_means"); };
    component.stages = [](const Plan&, StageList& list) { list.add_map("block_gates"); };
    component.memory = [](const Plan& plan, const RunNeeds&) {
        return select_blocks_memory(plan, option<Index>(plan.spec.selection.options, "size"),
                                    Mean::size(plan.head_key_width()));
    };
    component.declared_stages = {{"block_gates", "Gates of the blocks"}};
    component.steps = [](const Plan& plan, auto& pipeline) {
        const Options& options = plan.spec.selection.options;
        select_blocks<Mean>(plan, pipeline,
                            {.size = option<Index>(options, "size"),
                             .kept = option<Index>(options, "blocks"),
                             .keeps_own = true,
                             .stage = "block_gates"});
    };
    component.define = define_block_means;
    component.explain = explain_block_means;
    component.reads_one_sequence = [](const AttentionSpec&) {
        return "a query’s own block is always kept here";
    };
    return component;
}

}  // namespace headlight
