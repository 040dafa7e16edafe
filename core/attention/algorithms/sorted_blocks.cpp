#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

Index most_sorted_blocks(const Plan& plan) { return plan.algorithm().count("blocks"); }

bool sorts_earlier_blocks(const Plan& plan) { return plan.algorithm().word("among") == "earlier"; }

/// The text in blocks of one size. Those of padding alone are not sorted; the queries in their places are
/// those of the last block.
struct SortedText {
    explicit SortedText(const Plan& plan)
        : tokens(plan.keys), real(plan.queries > 0 ? plan.allowed.end(0) : 0),
          size(std::max<Index>(parts_of_size(plan.keys, most_sorted_blocks(plan)), 1)),
          count(std::max<Index>(parts_of_size(real, size), 1)) {}
    Index tokens, real, size, count;

    Index block(Index token) const { return std::min(token / size, count - 1); }
};

/// ln of the sums of exp(x) along the columns, or along the rows.
Expression log_sums_of_blocks(Composer& composer, const std::string& name, const Expression& x,
                              bool along_columns) {
    const Expression largest =
        composer.let(name + "_largest", along_columns ? maximum_of_columns(x) : maximum_of_rows(x));
    const Expression exponentials = exp_of(x - largest);
    return largest + log_of(along_columns ? sum_of_columns(exponentials) : sum_of_rows(exponentials));
}

/// What the sums of tokens that `of_block` [blocks, tokens] adds up say of every place, [h, blocks, blocks].
Expression write_sort_scores(Composer& composer, const SortedText& text, const Expression& belongs) {
    Expression tokens = composer.key_tokens;
    if (text.real < text.tokens)
        tokens = choose(composer.truth("is_real_token", {0, text.tokens, 1}, "tokens that are no padding",
                                       [real = text.real](Index row, Index) { return row < real; }),
                        tokens, 0);
    const Expression sums = composer.let("block_sums", product(belongs, tokens), "the tokens of each block");
    const Expression all = composer.let("block_places", composer.projected_by_heads(sums, "W_sort"),
                                        "what each block says of every place");
    return composer.let("sort_scores", relu_of(some_columns(all, counted(0, text.count))) /
                                           composer.plan.algorithm().number("temperature"));
}

/// Assigns `block_order` [h, blocks, blocks], how much of each block before it comes to the place of another,
/// and returns its logarithms, but for a number of each row: by a softmax, for to balance columns, too, later
/// blocks would be asked. What is said of a place is known with its first token.
Expression write_order_of_earlier_blocks(Composer& composer, const SortedText& text) {
    const Expression is_so_far =
        composer.of_places("is_so_far", {0, text.count, text.tokens}, "tokens up to the first of each block",
                           [text](Place at) { return at.column <= at.row * text.size ? 1.0 : 0.0; });
    const Expression scores = write_sort_scores(composer, text, is_so_far);
    const Expression is_earlier =
        composer.truth_of_places("is_earlier_block", {0, text.count, text.count}, "blocks before each",
                                 [](Place at) { return at.column < at.row; });
    const Expression order =
        composer.let("earlier_scores", choose(is_earlier, scores, minus_infinity()), "of blocks before each");
    softmax_of(composer, "block_order", order);
    return order;
}

/// Assigns `block_order` [h, blocks, blocks], how much of each block comes to the place of another, and
/// returns its logarithms.
Expression write_block_order(Composer& composer, const SortedText& text) {
    const Options& options = composer.plan.algorithm();
    if (sorts_earlier_blocks(composer.plan))
        return write_order_of_earlier_blocks(composer, text);
    const Expression belongs =
        composer.of_places("is_of_block", {0, text.count, text.tokens}, "tokens of each block",
                           [text](Place at) { return at.column / text.size == at.row ? 1.0 : 0.0; });
    Expression order = write_sort_scores(composer, text, belongs);
    for (Index round = 1; round <= options.count("rounds"); ++round) {
        const std::string number = std::to_string(round);
        order = composer.let("balanced_columns_" + number,
                             order - log_sums_of_blocks(composer, "columns_" + number, order, false),
                             "logarithms of numbers whose columns sum to 1");
        order = composer.let("balanced_rows_" + number,
                             order - log_sums_of_blocks(composer, "rows_" + number, order, true),
                             "logarithms of numbers whose rows sum to 1");
    }
    composer.let("block_order", exp_of(order), "how much of a block comes to each place");
    return order;
}

/// Which tokens the sorted ones are made of, [h, blocks size, m]: those of the same place in their block,
/// whose shares sum to 1 also where P leaves next to nothing for the blocks that have it.
Expression write_moved_tokens(Composer& composer, const SortedText& text) {
    const Expression order = write_block_order(composer, text);
    const Index sorted = text.count * text.size;
    const Expression has_place = composer.truth_of_places(
        "has_place_in_block", {0, sorted, text.tokens}, "tokens of the same place in their block",
        [text](Place at) { return at.column < text.real && at.column % text.size == at.row % text.size; });
    const Places rows{sorted, 1, {sorted, [text](Index row) { return row / text.size; }}};
    const Places columns{1, text.tokens, {text.tokens, [text](Index token) { return text.block(token); }}};
    return softmax_of(composer, "moved_tokens",
                      composer.let("token_order",
                                   choose(has_place, pick(order, rows, columns), minus_infinity()),
                                   "ln P of the tokens that a sorted one is made of"));
}

/// Softmax over the tokens of the own block and over those that are sorted to its place (Tay et al. 2020).
Expression define_sorted_blocks(Composer& composer) {
    const Plan& plan = composer.plan;
    const SortedText text(plan);
    const Index n = plan.queries, sorted = text.count * text.size,
                cut = composer.plan.algorithm().count("cut");
    const bool is_decoder = sorts_earlier_blocks(plan);
    const Expression moved = write_moved_tokens(composer, text);
    const Expression keys = composer.let("sorted_key", product(moved, composer.key), "the sorted keys");
    const Expression is_there = composer.truth_of_places(
        "sees_sorted", {0, n, sorted},
        cut > 0 ? "sorted tokens of the first blocks" : "sorted tokens in the place of the query’s block",
        [text, cut, is_decoder](Place at) {
            const Index block = at.column / text.size;
            const bool is_seen =
                cut > 0 ? block < cut : block == text.block(at.row) && !(is_decoder && block == 0);
            return is_seen && at.column % text.size < text.real;
        });
    const auto scores_by = [&](const Expression& of_keys) {
        return scaled_products(composer, composer.query, of_keys);
    };
    Expression scores = choose(is_there, scores_by(keys), minus_infinity());
    if (cut == 0) {
        const Expression is_near = composer.truth_of_places(
            "sees_own_block", {0, n, text.tokens},
            is_decoder ? "tokens of the query’s block up to it" : "tokens of the query’s block",
            [text, is_decoder](Place at) {
                const bool has_come = !is_decoder || at.column <= at.row;
                return has_come && at.column < text.real && at.column / text.size == text.block(at.row);
            });
        const Expression own = composer.let(
            "own_scores", choose(is_near, scores_by(composer.key), minus_infinity()), "q · k / √d");
        scores = join_columns({scores, own});
    }
    const Expression shares =
        softmax_of(composer, "shares", composer.let("joined_scores", scores, "of both, side by side"));
    const char* const note = "what comes through the sorted blocks";
    if (cut > 0)
        return write_attended_values(composer, composer.let("weights", product(shares, moved), note));
    const Expression found =
        composer.let("sorted_weights", product(some_columns(shares, counted(0, sorted)), moved), note);
    return write_attended_values(
        composer, composer.let("weights", some_columns(shares, counted(sorted, text.tokens)) + found,
                               "what each query gives to each key"));
}

}  // namespace

AlgorithmComponent declare_algorithms_sorted_blocks() {
    AlgorithmComponent component;
    component.meaning =
        "softmax over the keys of the own block b and over those that come to its place, Σ_c P_bc k of the "
        "same place in block c: P = exp of relu(Σ x W) / τ, its columns and rows brought to sums of 1 in "
        "turn (Sparse Sinkhorn Attention, Tay et al. 2020); or, as a decoder, P = softmax of the same over "
        "the blocks c < b, of tokens up to the first of block b, and own keys up to the query";
    component.options = {
        count_option("blocks", "Blocks", 3, logarithmic_range(1, 1024),
                     "Into how many blocks of one size the text is cut; the last may have fewer tokens."),
        count_option("rounds", "Rounds", 5, {1, 64},
                     "How often columns and rows are brought to sums of 1; the last are the rows."),
        number_option("temperature", "Temperature τ", 0.75, logarithmic_range(0.01, 100),
                      "The smaller, the nearer each row of P comes to one block alone."),
        count_option("cut", "First blocks alone", 0, {0, 1024},
                     "SortCut: every query sees so many of the first sorted blocks and nothing else.", "off"),
        word_option("among", "Blocks that are sorted", {"all", "earlier"},
                    "All of the text; or, as in a decoder, to each place those before it, while a query sees "
                    "its own block up to itself: causal, whatever the mask.")};
    component.known_parameters = {
        {"W_sort", "[d, h blocks]",
         "projects the sum of a block’s tokens to a number for each place that it may come to"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_sort", {plan.tokens.key_width, plan.heads * most_sorted_blocks(plan)});
    };
    component.needs_one_end = true;
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "sorted_blocks", "a block sees itself and one other of its text");
        const Index cut = plan.algorithm().count("cut");
        if (sorts_earlier_blocks(plan) && cut > 0)
            throw Error({"sorted_blocks algorithm", "algorithm/cut",
                         "0: the first sorted blocks are not before every query", std::to_string(cut)});
    };
    component.declared_stages = {
        made_stage("block_order", "Order of the blocks", {"how much of a block comes to each place"},
                   between_parts("block", "block", {.lights = "sorted_weights", .is_share = true})),
        declared_shares_stage("sorted_weights", "Weights through the order",
                              {"what comes through the sorted blocks"}),
        declared_weights_stage({"of the own block, and through the sorted ones"}, {.is_share = true})};
    component.define = define_sorted_blocks;
    return component;
}

}  // namespace headlight
