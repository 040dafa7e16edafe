#include "core/attention/positions/pair_places.h"
#include "core/attention/selected_keys.h"
#include "core/attention/selections/key_shares.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cstdint>

namespace headlight {
namespace {

/// Places in groups of `stride`, and these in blocks of `size` tokens.
struct StridedBlocks {
    explicit StridedBlocks(const Composer& composer)
        : stride(selection_count(composer, "stride")), size(stride * selection_count(composer, "groups")) {}
    Index groups(Index tokens) const { return parts_of_size(tokens, stride); }
    Index blocks(Index tokens) const { return parts_of_size(tokens, size); }
    Index block_of_group(Index group) const { return group * stride / size; }

    Index stride, size;
};

/// Which tokens count: queries are padding where keys are, of one sequence.
struct CountedTokens {
    explicit CountedTokens(const Plan& plan)
        : keys(real_keys(plan)),
          queries(plan.spec.source.type == SourceType::self
                      ? keys
                      : std::vector<std::uint8_t>(static_cast<std::size_t>(plan.queries), 1)) {}
    std::vector<std::uint8_t> keys, queries;
};

bool counts_at(const std::vector<std::uint8_t>& tokens, Index place) {
    return place < std::ssize(tokens) && tokens[static_cast<std::size_t>(place)] != 0;
}

/// The scores of each pair of groups on the line from lower left to upper right, summed over the stride:
/// query S − 1 − s of the one meets key s of the other.
Expression write_group_scores(Composer& composer, const StridedBlocks& blocks,
                              const CountedTokens& counted_tokens, const Expression& scores) {
    const Index n = composer.plan.queries, m = composer.plan.keys, stride = blocks.stride;
    const Index rows = blocks.groups(n), columns = blocks.groups(m);
    std::optional<Expression> sum;
    for (Index step = 0; step < std::min(stride, m); ++step) {
        const Index query = stride - 1 - step;
        const Expression counts =
            composer.truth("counts_" + std::to_string(step + 1), {0, rows, columns},
                           "both are there, and no padding", [=](Index row, Index column) {
                               return counts_at(counted_tokens.queries, row * stride + query) &&
                                      counts_at(counted_tokens.keys, column * stride + step);
                           });
        const Expression met = pick(
            scores, {rows, 1, {rows, [=](Index row) { return std::min(row * stride + query, n - 1); }}},
            {1, columns, {columns, [=](Index column) { return std::min(column * stride + step, m - 1); }}});
        const Expression term =
            composer.let("antidiagonal_" + std::to_string(step + 1), choose(counts, met, 0));
        sum = sum ? *sum + term : term;
    }
    return composer.let("group_scores", *sum / static_cast<double>(stride),
                        "of each pair of groups, along its antidiagonal");
}

/// What each block of queries gives to each block of keys, [h, blocks, blocks]: the softmax of the groups,
/// added up.
Expression write_block_sums(Composer& composer, const StridedBlocks& blocks,
                            const CountedTokens& counted_tokens, const Expression& group_scores) {
    const Index n = composer.plan.queries, m = composer.plan.keys, stride = blocks.stride;
    const double temperature = composer.plan.spec.normalizer.temperature;
    const Expression meet = composer.truth(
        "groups_meet",
        group_scores.extent().heads > 0 ? Extent{0, group_scores.extent().rows, group_scores.extent().columns}
                                        : group_scores.extent(),
        "some query of the one sees some key of the other",
        [=, may_meet = composer.may_meet, excludes = composer.mask_excludes()](Index row, Index column) {
            for (Index query = row * stride; query < std::min((row + 1) * stride, n); ++query)
                for (Index key = column * stride; key < std::min((column + 1) * stride, m); ++key)
                    if (counts_at(counted_tokens.queries, query) && counts_at(counted_tokens.keys, key) &&
                        (!excludes || may_meet(query, key)))
                        return true;
            return false;
        });
    const Expression open = composer.let(
        "open_group_scores",
        choose(meet, temperature == 1 ? group_scores : group_scores / temperature, minus_infinity()));
    const Expression looks = softmax_of(composer, "group_looks", open);
    const auto members = [&](const char* name, Index tokens) {
        return composer.of_places(
            name, {0, blocks.groups(tokens), blocks.blocks(tokens)}, "1 where a group is of a block",
            [blocks](Place at) { return blocks.block_of_group(at.row) == at.column ? 1.0 : 0.0; });
    };
    const Expression of_keys = composer.let("looks_at_blocks", product(looks, members("key_groups", m)));
    return composer.let("block_sums", product(transposed(members("query_groups", n)), of_keys),
                        "what each block of queries gives to each block of keys");
}

/// Blocks of keys that come to the share of all that a block of queries gives, as few as will do; the first
/// one and the own one before all others, where they always stay.
Expression write_kept_blocks(Composer& composer, const StridedBlocks& blocks, const Expression& sums) {
    const Index rows = blocks.blocks(composer.plan.queries), columns = blocks.blocks(composer.plan.keys);
    const Options& options = composer.plan.selection();
    const bool keeps_ends = options.flag("ends");
    const Expression always = composer.of_places(
        "always_kept", {0, rows, columns}, "1 for the first block and the own one",
        [=](Place at) { return keeps_ends && (at.column == 0 || at.column == at.row) ? 1.0 : 0.0; });
    const Expression needed =
        composer.let("needed_sum", options.number("p") * sum_of_columns(sums) - sum_of_columns(always * sums),
                     "what others must come to");
    const Expression others = composer.let("other_sums", sums * (1 - always));
    const Expression sorted = composer.let("sorted_sums", descending(others), "each row, the largest first");
    const Expression count =
        composer.let("blocks_for_p", count_for_share(sorted, needed), "so many of the largest come to it");
    return composer.let("blocks_kept", larger_of(always, as_number(is_above(count, rank_of(others)))),
                        "1 for the blocks of keys that a block of queries keeps");
}

std::optional<Expression> define_antidiagonals(Composer& composer, const Expression& scores) {
    const StridedBlocks blocks(composer);
    const CountedTokens counted_tokens(composer.plan);
    const Expression sums = write_block_sums(composer, blocks, counted_tokens,
                                             write_group_scores(composer, blocks, counted_tokens, scores));
    const Expression kept = write_kept_blocks(composer, blocks, sums);
    const auto of_pairs = [&](const char* name, const Expression& of_blocks, const char* note) {
        return composer.let(name, of_block_pairs(composer, of_blocks, blocks.size), note);
    };
    of_pairs("antidiagonal_sums", sums, "of the pair’s blocks");
    return and_allowed(
        composer, is_above(of_pairs("antidiagonal_pairs", kept, "1 for pairs of blocks that are kept"), 0.5));
}

}  // namespace

SelectionComponent declare_selections_antidiagonals() {
    SelectionComponent component;
    component.reads_no_keys = true;
    component.meaning =
        "for each block of queries the fewest blocks of keys that come to p of what it gives: the scores of "
        "every S-th antidiagonal are averaged over S pairs, and their softmax is added up in each block "
        "(XAttention, Xu et al. 2025); the first block and the own one always stay";
    component.options = {
        count_option("stride", "Stride S", 2, logarithmic_range(1, 4096),
                     "Of so many pairs of places one is scored; each token is met once in every "
                     "antidiagonal. The paper has 8 and 16."),
        count_option("groups", "Strides of a block", 2, logarithmic_range(1, 4096),
                     "A block has so many times S tokens; in the paper it has 128 tokens."),
        number_option("p", "Share kept", 0.85, {0.01, 1},
                      "How much of what a block of queries gives the kept blocks have; 1 keeps all of them."),
        flag_option("ends", "First and own block", true,
                    "The first block and the one of the same place always stay, as the authors’ code has it "
                    "for texts that are written on.")};
    component.orders_scores = true;
    component.check = [](const Plan& plan) {
        if (plan.spec.mask_order == MaskOrder::before_scale && !plan.spec.mask_value &&
            is_masked(plan.spec.mask))
            throw Error({"antidiagonals selection", "mask_order",
                         "after_scale: scores of pairs that the mask forbids are summed along the lines, too",
                         "before_scale"});
    };
    component.couples_queries = always;
    component.reads_one_sequence = [](const AttentionSpec& spec) -> const char* {
        return spec.selection.options.flag("ends") ? "a query’s own block is always kept here" : nullptr;
    };
    component.declared_stages = {
        made_stage("antidiagonal_sums", "Sums of the blocks", {"by the antidiagonals of the scores"},
                   {.lights = "weights", .role = StageRole::weights}),
        made_stage("antidiagonal_pairs", "Blocks that are kept",
                   {"1 for their pairs", {{"antidiagonal_sums"}}},
                   {.lights = "weights", .role = StageRole::weights, .is_share = true})};
    component.define = define_antidiagonals;
    return component;
}

}  // namespace headlight
