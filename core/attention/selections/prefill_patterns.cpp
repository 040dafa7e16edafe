#include "core/attention/positions/pair_places.h"
#include "core/attention/refusals.h"
#include "core/attention/selected_keys.h"
#include "core/attention/selections/key_shares.h"

#include <algorithm>
#include <cstdint>

namespace headlight {
namespace {

const std::string& prefill_pattern_of(const AttentionSpec& spec) {
    return spec.selection.options.word("pattern");
}

/// The last tokens that are no padding.
std::vector<Index> last_queries(const Composer& composer) {
    const std::vector<std::uint8_t> real = real_keys(composer.plan);  // of one sequence
    std::vector<Index> last;
    const Index most = selection_count(composer, "last");
    for (Index token = composer.plan.queries - 1; token >= 0 && std::ssize(last) < most; --token)
        if (real[static_cast<std::size_t>(token)] != 0)
            last.insert(last.begin(), token);
    if (last.empty())
        last.push_back(composer.plan.queries - 1);
    return last;
}

/// 1 for the first keys and for those of the newest places, [n, m]: no score is looked at.
Expression write_a_shape(Composer& composer) {
    const Index first = selection_count(composer, "first"), recent = selection_count(composer, "recent");
    return composer.constant("a_shape", {0, composer.plan.queries, composer.plan.keys},
                             "1 for the first keys and the newest ones", [=](Index, Index query, Index key) {
                                 return key < first || (key <= query && query - key < recent) ? 1.0 : 0.0;
                             });
}

/// 1 for the columns or diagonals, [h, 1, count], with the most votes; of `always` the first come before all
/// others.
Expression write_best_lines(Composer& composer, const std::string& name, const Expression& votes, Index kept,
                            Index always) {
    const auto above_all = static_cast<double>(composer.plan.queries + 1);
    const Expression bonus = composer.constant(
        name + "_bonus", {0, 1, votes.extent().columns}, "lifts those that always stay above all votes",
        [=](Index, Index, Index column) { return column < always ? above_all : 0.0; });
    const auto most = static_cast<double>(std::max(kept, always));
    return composer.let(name + "_kept", as_number(is_above(most, rank_of(votes + bonus))),
                        "1 for those with the most votes");
}

/// 1 for pairs in a column or on a diagonal that the last queries look at most.
Expression write_vertical_slash(Composer& composer, const Expression& scores) {
    const Index n = composer.plan.queries, m = composer.plan.keys;
    const std::vector<Index> last = last_queries(composer);
    const Expression open = composer.let("scores_of_all", open_over_temperature(composer, scores));
    const Expression looks = softmax_of(composer, "last_looks", some_rows(open, last));
    const Expression columns = write_best_lines(
        composer, "columns", composer.let("column_votes", sum_of_rows(looks), "what each column was given"),
        selection_count(composer, "vertical"), selection_count(composer, "first"));
    // Diagonal a has the keys that lie a places before their query.
    const auto count = static_cast<Index>(last.size());
    const Expression slanted =
        choose(composer.truth_of_places(
                   "has_diagonal", {0, count, n}, "the diagonal meets the query’s row",
                   [last](Place at) { return at.column <= last[static_cast<std::size_t>(at.row)]; }),
               pick(looks, {count, 1, counted(0, count)},
                    places_of(count, n,
                              [last](Index row, Index away) {
                                  return std::max<Index>(last[static_cast<std::size_t>(row)] - away, 0);
                              })),
               0);
    const Expression diagonals =
        write_best_lines(composer, "diagonals",
                         composer.let("diagonal_votes", sum_of_rows(composer.let("slanted_looks", slanted)),
                                      "what each diagonal was given"),
                         selection_count(composer, "slash"), selection_count(composer, "recent"));
    const Expression not_after =
        composer.of_places("is_not_after", {0, n, m}, "keys that are no later than their query",
                           [](Place at) { return at.column <= at.row ? 1.0 : 0.0; });
    const Expression on_diagonal =
        from_row(diagonals, n, m, [](Index query, Index key) { return std::max<Index>(query - key, 0); });
    return composer.let("vertical_slash", larger_of(columns, on_diagonal * not_after),
                        "1 on the columns and diagonals that are kept");
}

/// 1 for pairs of blocks whose means have the largest products.
Expression write_pooled_blocks(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, m = plan.keys, size = selection_count(composer, "size"),
                blocks = parts_of_size(n, size);
    const std::vector<std::uint8_t> real = real_keys(plan);
    const Expression members =
        composer.of_places("shares_in_blocks", {0, blocks, n}, "means of each block", [=](Place at) {
            const Index first = at.row * size, last = std::min(first + size, n);
            Index count = 0;
            for (Index token = first; token < last; ++token)
                count += real[static_cast<std::size_t>(token)];
            const bool is_in =
                at.column >= first && at.column < last && real[static_cast<std::size_t>(at.column)] != 0;
            return is_in ? 1 / static_cast<double>(count) : 0.0;
        });
    const auto mean_of = [&](const char* name, const Expression& vectors) {
        Expression counted_vectors = vectors;
        if (std::ranges::find(real, 0) != real.end())
            counted_vectors = choose(
                composer.truth("is_counted", {0, n, 1}, "tokens that are no padding",
                               [real](Index row, Index) { return real[static_cast<std::size_t>(row)] != 0; }),
                vectors, 0);
        return composer.let(name, product(members, counted_vectors), "the mean of each block");
    };
    const Expression products =
        composer.let("pooled_products", product_transposed(mean_of("query_means", composer.query),
                                                           mean_of("key_means", composer.key)));
    const Expression meet = composer.truth(
        "blocks_meet", {0, blocks, blocks}, "some query of the one sees some key of the other",
        [=, may_meet = composer.may_meet, excludes = composer.mask_excludes()](Index row, Index column) {
            for (Index query = row * size; query < std::min((row + 1) * size, n); ++query)
                for (Index key = column * size; key < std::min((column + 1) * size, m); ++key)
                    if (!excludes || may_meet(query, key))
                        return true;
            return false;
        });
    const auto kept = static_cast<double>(selection_count(composer, "blocks"));
    const Expression best = composer.let(
        "pooled_kept", as_number(is_above(kept, rank_of(choose(meet, products, minus_infinity())))),
        "1 for the blocks of keys that a block of queries keeps");
    return composer.let("kept_blocks", of_block_pairs(composer, best, size), "1 for their pairs");
}

/// Which keys each head keeps, by one of three patterns (Jiang et al. 2024, section 3).
std::optional<Expression> define_prefill_patterns(Composer& composer, const Expression& scores) {
    const std::string& pattern = prefill_pattern_of(composer.plan.spec);
    const auto kept = [&](const Expression& pairs) {
        return and_allowed(
            composer,
            is_above(composer.let("pattern_pairs", pairs, "1 for pairs that the head’s pattern keeps"), 0.5));
    };
    if (pattern == "a_shape")
        return kept(write_a_shape(composer));
    if (pattern == "vertical_slash")
        return kept(write_vertical_slash(composer, scores));
    if (pattern == "blocks")
        return kept(write_pooled_blocks(composer));
    const Expression of_head = composer.constant("pattern_of_head", {composer.heads, 1, 1},
                                                 "0: A-shape, 1: columns and diagonals, 2: blocks",
                                                 [](Index head, Index, Index) { return head % 3; });
    return kept(choose(
        is_equal(of_head, 0), write_a_shape(composer),
        choose(is_equal(of_head, 1), write_vertical_slash(composer, scores), write_pooled_blocks(composer))));
}

}  // namespace

SelectionComponent declare_selections_prefill_patterns() {
    SelectionComponent component;
    component.meaning =
        "what a head’s pattern keeps: first keys and the newest ones; the columns and diagonals to which the "
        "last queries give most; or for each block of queries the blocks of keys whose means have the "
        "largest products with its own (MInference, Jiang et al. 2024); of equal ones the first";
    component.options = {
        word_option("pattern", "Pattern", {"vertical_slash", "a_shape", "blocks", "in_turn"},
                    "What every head keeps; in turn: the first head an A, the second columns and diagonals, "
                    "the third blocks, and again. The paper finds the pattern of each head beforehand."),
        count_option(
            "last", "Last queries", 3, token_counts,
            "How many of the last queries are scored to find the columns and diagonals; the code has 64."),
        count_option("vertical", "Columns kept", 2, {0, 65536},
                     "How many columns are kept, the first keys among them.", "none"),
        count_option("slash", "Diagonals kept", 3, {0, 65536},
                     "How many diagonals are kept, the newest places among them.", "none"),
        count_option("first", "First keys", 1, {0, 65536},
                     "How many of the first keys always stay, as columns and in an A-shape.", "none"),
        count_option(
            "recent", "Newest places", 1, {0, 65536},
            "How many of the newest places always stay, the own one first, as diagonals and in an A-shape.",
            "none"),
        count_option("size", "Block", 3, token_counts,
                     "How many tokens a block has; the last may have fewer."),
        count_option("blocks", "Blocks kept", 2, token_counts,
                     "How many blocks of keys each block of queries keeps.")};
    component.orders_scores = true;
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "prefill_patterns selection",
                             "diagonals have the keys that lie so many places before their query");
        require_one_width(plan, "prefill_patterns");
    };
    component.couples_queries = [](const AttentionSpec& spec) {
        return prefill_pattern_of(spec) != "a_shape";
    };
    component.reads_one_sequence = [](const AttentionSpec&) {
        return "keys lie so many places before their query here";
    };
    component.declared_stages = {
        made_stage("pattern_pairs", "Pattern of the head", {"1 for pairs that it keeps"},
                   {.lights = "weights", .role = StageRole::weights, .is_share = true})};
    component.define = define_prefill_patterns;
    return component;
}

}  // namespace headlight
