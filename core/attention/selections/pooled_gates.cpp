#include "core/attention/positions/pair_places.h"
#include "core/attention/rotary.h"
#include "core/attention/selections/kept_pairs.h"
#include "core/attention/selections/token_groups.h"
#include "core/attention/turned_pairs.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

bool has_block_places(const AttentionSpec& spec) { return spec.selection.options.flag("places"); }

/// The largest and the smallest number of each feature of `keys` [.., m, d] in each block, side by side: [..,
/// blocks, 2 d]; 0 where a block is padding alone.
Expression extremes_of_blocks(Composer& composer, const Expression& keys, const SharedGroups& blocks,
                              Index size) {
    const Index m = blocks->tokens(), d = keys.extent().columns, rows = blocks->count * d,
                in_one = std::min(size, m);
    // A row for each feature of each block, a column for each of its keys.
    const auto key_at = [=](Index row, Index column) { return row / d * size + column; };
    const Expression in_rows =
        pick(keys,
             places_of(rows, in_one,
                       [=](Index row, Index column) { return std::min(key_at(row, column), m - 1); }),
             places_of(rows, in_one, [=](Index row, Index) { return row % d; }));
    const Expression is_there =
        composer.truth("is_in_block", {0, rows, in_one}, "keys of the block that are no padding",
                       [=](Index row, Index column) {
                           const Index key = key_at(row, column);
                           return key < m && blocks->is_real(key);
                       });
    const auto largest = [&](const Expression& numbers) {
        return maximum_of_columns(choose(is_there, numbers, minus_infinity()));
    };
    // Largest numbers first, then those of the opposite sign.
    const Expression both = join_rows({largest(in_rows), -largest(-in_rows)});
    const Expression is_real_block = composer.truth_of_places(
        "is_block_with_keys", {0, blocks->count, 1}, "blocks that are not padding alone",
        [members = blocks->members()](Place at) {
            return !members[static_cast<std::size_t>(at.row)].empty();
        });
    const Expression in_blocks = from_column(both, blocks->count, 2 * d, [=](Index block, Index column) {
        return column / d * rows + block * d + column % d;
    });
    return choose(is_real_block, in_blocks, 0);
}

/// By the place of their first token.
Expression turned_by_blocks(Composer& composer, const std::string& name, const Expression& vectors,
                            Index size) {
    const Index turned = vectors.extent().columns / 2 * 2;  // an odd one stays
    if (!has_block_places(composer.plan.spec) || turned == 0)
        return vectors;
    const double base = composer.plan.selection().number("base");
    PairTurns turns{rotary_frequencies(turned, base)};
    turns.place = [size](Index block, Index) { return static_cast<double>(block * size); };
    turns.constants = "gate_";
    return turned_by(composer, turns, name, vectors);
}

/// A small attention of blocks says which blocks of keys a block of queries sees (Gao et al. 2025).
std::optional<Expression> define_pooled_gates(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Index size = selection_count(composer, "size");
    const auto block_of = [size](Index token) { return token / size; };
    const SharedGroups asking = grouped_tokens(mask_of_real_queries(plan), block_of),
                       known = grouped_tokens(real_keys(plan), block_of);
    // Before any norm or rotation.
    const Expression keys = composer.of_query_heads(composer.program.tensor("key"));
    const Expression mean_query = write_group_means(composer, "gate_query", composer.plain_query, asking,
                                                    "the mean query of each block");
    const Expression pools =
        composer.let("block_pools",
                     join_columns({extremes_of_blocks(composer, keys, known, size),
                                   write_group_means(composer, "gate_mean_key", keys, known,
                                                     "the mean key of each block")}),
                     "the largest, the smallest and the mean number of each feature");
    const Expression gate_key = composer.let(
        "gate_key", product(pools, composer.matrices_of_heads("W_pooled_gate")), "what a block is found by");
    const Expression query = turned_by_blocks(composer, "gate_query", mean_query, size),
                     key = turned_by_blocks(composer, "gate_key", gate_key, size);
    const Expression meet = groups_that_meet(composer, "blocks_meet", asking, known);
    const Expression scores = composer.let(
        "gate_scores",
        choose(meet, product_transposed(query, key) / std::sqrt(static_cast<double>(plan.head_query_width())),
               minus_infinity()),
        "of pairs of blocks");
    const Expression shares = softmax_of(composer, "gate_shares", scores);
    const bool is_by_threshold = plan.selection().word("rule") == "threshold";
    const Expression kept =
        is_by_threshold ? is_above(shares, plan.selection().number("threshold"))
                        : is_above(static_cast<double>(selection_count(composer, "blocks")),
                                   rank_of(choose(meet, products_in_order(query, key), minus_infinity())));
    Expression of_blocks = as_number(kept);
    if (const Index dense = selection_count(composer, "dense"); dense > 0)
        of_blocks =
            choose(composer.truth("is_dense_block", {0, asking->count, 1}, "the last blocks see all",
                                  [=, end = asking->end()](Index row, Index) { return row >= end - dense; }),
                   1, of_blocks);
    const Expression pairs = composer.let(
        "gated_pairs",
        of_token_pairs(composer.let("gated_blocks", of_blocks, "1 for those that are kept"), asking, known),
        "1 for pairs of blocks that the gate keeps");
    return and_allowed(composer, is_above(pairs, 0.5));
}

}  // namespace

SelectionComponent declare_selections_pooled_gates() {
    SelectionComponent component;
    component.meaning =
        "for each block of queries the blocks of keys to which softmax(q̄ · k̃ / √d) gives enough, or most: q̄ "
        "the mean query of the block, k̃ = [max k, min k, mean k] W of each block of keys, both before norms "
        "and rotations, turned by the place of their first token (SeerAttention, Gao et al. 2025)";
    component.options = {
        count_option("size", "Block", 3, token_counts,
                     "How many tokens a block has; the last may have fewer. The authors’ models have 64."),
        word_option("rule", "Rule", {"threshold", "best"},
                    "Which blocks are kept: those with a share above the threshold, as many as that may be, "
                    "or a number of the largest; of equal ones the first."),
        number_option("threshold", "Threshold", 0.15, {0, 1},
                      "The share of the gate that a block must exceed; the authors’ models, with many "
                      "blocks, have 0.002 or so."),
        count_option("blocks", "Blocks kept", 2, token_counts, "How many blocks the rule “best” keeps."),
        count_option("dense", "Last blocks that see all", 0, {0, 65536},
                     "How many of the last blocks of queries see all blocks; the authors’ code has 2, for "
                     "there the question of a prompt stands.",
                     "none"),
        flag_option("places", "Places of the blocks", true,
                    "Whether the gate’s queries and keys are turned by the place of the first token of their "
                    "block, as in the authors’ code."),
        base_option()};
    component.known_parameters = {
        {"W_pooled_gate", "[3 h d, d], head below head",
         "makes what a block is found by of the largest, the smallest and the mean number of each feature"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.head_query_width();
        list.add("W_pooled_gate", {3 * plan.query_width, width});
    };
    component.check = [](const Plan& plan) { require_one_width(plan, "pooled_gates"); };
    component.couples_queries = always;
    component.declared_stages = {
        made_stage("block_pools", "Pools of the blocks", {"largest, smallest and mean numbers of each block"},
                   {.lights = "gate_shares", .is_of_features = true, .has_features = true, .row = "block"}),
        made_stage("gate_shares", "Shares of the gate", {"softmax over the blocks"},
                   between_parts("block", "block", {.lights = "gated_pairs", .is_share = true})),
        made_stage("gated_pairs", "Pairs that the gate keeps",
                   {"1 for pairs of a block and one that it keeps"},
                   {.lights = "weights", .role = StageRole::weights, .is_share = true})};
    component.define = define_pooled_gates;
    return component;
}

}  // namespace headlight
