#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/graph/row_formulas.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <cstdint>

namespace headlight {
namespace {

/// Keys that are drawn for each query, [n, m], the same in every head: so many numbers of a stream of the
/// row’s own, of which some may be one key.
Expression drawn_keys(DefinedRows& rows, Index count) {
    const Index queries = rows.scores.extent().rows, keys = rows.scores.extent().columns;
    const auto seed = static_cast<std::uint64_t>(rows.options().count("seed"));
    const auto drawn = std::make_shared<std::vector<std::vector<Index>>>();
    for (Index query = 0; query < queries && !rows.composer.program.is_outline; ++query) {
        const std::uint64_t of_query = substream(seed, static_cast<std::uint64_t>(query));
        std::vector<Index>& row = drawn->emplace_back();
        for (Index draw = 0; draw < count; ++draw)
            row.push_back(static_cast<Index>(substream(of_query, static_cast<std::uint64_t>(draw)) %
                                             static_cast<std::uint64_t>(keys)));
        std::ranges::sort(row);
        row.erase(std::unique(row.begin(), row.end()), row.end());
    }
    return rows.composer.truth_of_places(
        "is_drawn" + rows.suffix, {0, queries, keys}, "keys that are drawn for the query",
        [drawn = std::shared_ptr<const std::vector<std::vector<Index>>>(drawn)](Place at) {
            const auto row = static_cast<std::size_t>(at.row);
            return row < drawn->size() && std::ranges::binary_search((*drawn)[row], at.column);
        });
}

/// Rows of the largest spread are a softmax, others give all keys the same (Zhou et al. 2021, equation 3).
Expression define_prob_sparse(DefinedRows& rows) {
    const Expression counts = rows.key_counts();
    const Index drawn = rows.options().count("drawn");
    Expression looked_at = rows.scores, read = rows.open_only(rows.scores), of_mean = counts;
    if (drawn > 0) {
        const Expression is_drawn = drawn_keys(rows, drawn);
        looked_at = choose(is_drawn, rows.scores, minus_infinity());
        read = choose(is_drawn, read, 0);
        of_mean = rows.let("drawn_counts",
                           not_zero(sum_of_columns(
                               as_number(rows.has_forbidden ? both_of(is_drawn, rows.is_open()) : is_drawn))),
                           "how many keys are drawn that the query may look at");
    }
    const Expression mean =
        rows.let("row_mean", sum_of_columns(read / of_mean), "the mean score of each row");
    const Expression largest = rows.let("largest_score", maximum_of_columns(looked_at), "of each row");
    const Expression spread =
        rows.let("sparsity", (drawn > 0 ? finite_maximum(largest) : rows.finite_largest(largest)) - mean,
                 "the largest score less the mean of the row");
    const Expression ranks =
        rows.let("row_ranks", transposed(rank_of(transposed(spread))), "how many queries come before");
    const auto count = static_cast<double>(rows.options().count("active"));
    const Expression is_active =
        rows.let("active_queries", as_number(is_above(count, ranks)), "1 for queries that attend");
    return choose(is_above(is_active, 0.5), rows.softmax(), rows.open_only(1 / counts));
}

}  // namespace

NormalizerComponent declare_normalizers_prob_sparse() {
    NormalizerComponent component;
    component.phrase = "softmax of the sharpest rows, else the mean";
    component.meaning =
        "softmax of the u rows in which the largest score is furthest above the mean, of equal ones the "
        "first, found from all keys or from a few that are drawn; other queries give every key the same "
        "(ProbSparse attention of Informer, Zhou et al. 2021)";
    component.options = {
        count_option("active", "Active queries u", 3, logarithmic_range(0, 65536),
                     "How many queries of each head attend; others get the mean of the values. The paper has "
                     "5 ln n; all: a softmax.",
                     "none"),
        count_option("drawn", "Drawn keys", 0, logarithmic_range(0, 1024),
                     "From how many keys, drawn for each query, the spread of a row is estimated; the paper "
                     "has 5 ln m of them. What attends, attends to all.",
                     "all keys"),
        count_option("seed", "Seed of the draws", 0, {0, 65535}, "Another number draws other keys.")};
    component.couples_rows = true;
    component.orders_scores = [](const Plan&) { return true; };
    component.declared_stages = {made_stage("sparsity", "Spread of the rows",
                                            {"the largest score less the mean"},
                                            {.lights = "weights", .role = StageRole::row}),
                                 made_stage("active_queries", "Active queries", {"1 for those that attend"},
                                            {.lights = "weights", .role = StageRole::row})};
    component.define = define_prob_sparse;
    return component;
}

}  // namespace headlight
