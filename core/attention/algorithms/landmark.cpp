#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/pair_places.h"

#include <algorithm>

namespace headlight {
namespace {

/// The text in blocks, the last token of each of which is its landmark. Tokens behind the last landmark have
/// none.
struct LandmarkBlocks {
    Index size = 2, tokens = 0;
    Index block(Index token) const { return token / size; }
    Index count() const { return parts_of_size(tokens, size); }
    bool is_landmark(Index token) const { return token % size == size - 1; }
    Index landmark(Index token) const { return block(token) * size + size - 1; }
    bool has_landmark(Index token) const { return landmark(token) < tokens; }
};

/// The softmax of each block's tokens by itself, [h, n, n]. Each block of a row is a row of its own, [h, n
/// blocks, size]: so each has its own largest score.
Expression write_block_shares(Composer& composer, const LandmarkBlocks& blocks, const Expression& scores) {
    const Index n = blocks.tokens, size = blocks.size, count = blocks.count();
    const auto key_at = [=](Index row, Index column) { return row % count * size + column; };
    const Expression of_blocks = composer.let(
        "block_scores",
        pick(scores, places_of(n * count, size, [=](Index row, Index) { return row / count; }),
             places_of(n * count, size,
                       [=](Index row, Index column) { return std::min(key_at(row, column), n - 1); })),
        "the scores of each query, block below block");
    const Expression takes_part = composer.truth_of_places(
        "takes_part", {0, n * count, size}, "tokens that are no landmark and may be seen",
        [=, may_meet = composer.may_meet](Place at) {
            const Index key = key_at(at.row, at.column);
            return key < n && !blocks.is_landmark(key) && may_meet(at.row / count, key);
        });
    const Expression shares =
        softmax_of(composer, "shares_of_blocks", choose(takes_part, of_blocks, minus_infinity()));
    return composer.let(
        "block_shares",
        pick(shares,
             places_of(n, n, [=](Index query, Index key) { return query * count + blocks.block(key); }),
             places_of(n, n, [=](Index, Index key) { return key % size; })),
        "the softmax of each block by itself");
}

/// A softmax over the tokens of the query's own block and the landmarks of others; what a landmark gets its
/// block has to share.
Expression define_landmark(Composer& composer) {
    const Index n = composer.plan.queries;
    // A block that the text does not fill has no landmark, however much longer it is.
    const LandmarkBlocks blocks{std::min(composer.plan.algorithm().count("block"), n + 1), n};
    const auto is_own = [=](Index query, Index key) {
        return blocks.block(query) == blocks.block(key) && !blocks.is_landmark(key);
    };
    const Expression scores = write_scaled_products(composer);
    const Expression is_chosen_from = composer.pairs_where(
        "is_chosen_from", "tokens of the own block, and landmarks of others", [=](Index query, Index key) {
            const bool is_other = blocks.block(query) != blocks.block(key) && blocks.is_landmark(key);
            return is_own(query, key) || is_other;
        });
    const Expression choice =
        softmax_of(composer, "group_weights", choose(is_chosen_from, scores, minus_infinity()));
    const Expression shares = write_block_shares(composer, blocks, scores);
    const Expression of_landmarks = composer.let(
        "landmark_of_pairs",
        pick(choice, places_of(n, n, [](Index query, Index) { return query; }),
             places_of(n, n, [=](Index, Index key) { return std::min(blocks.landmark(key), n - 1); })),
        "what the landmark of each token’s block gets");
    const Expression own = composer.truth("is_own_block", {0, n, n}, "tokens of the own block", is_own);
    const Expression is_reached = composer.truth(
        "is_reached", {0, n, n}, "tokens of other blocks that have a landmark", [=](Index query, Index key) {
            return blocks.block(query) != blocks.block(key) && !blocks.is_landmark(key) &&
                   blocks.has_landmark(key);
        });
    return write_attended_values(
        composer, composer.let("weights", choose(own, choice, choose(is_reached, of_landmarks * shares, 0)),
                               "landmarks open their blocks"));
}

}  // namespace

AlgorithmComponent declare_algorithms_landmark() {
    AlgorithmComponent component;
    component.meaning =
        "A_ij = S_ij in the query’s own block, S_ip softmax_block(q · k / √d)_j in another one, S the "
        "softmax over the tokens of the own block and the landmarks p of others, a block’s last token; "
        "landmarks themselves get 0 (Mohtashami and Jaggi 2023)";
    component.options = {count_option("block", "Block", 4, logarithmic_range(2, 65536),
                                      "How many tokens a block has, the last of which is its landmark.")};
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "landmark", "a query is a token of one of the blocks");
    };
    component.declared_stages = {
        declared_scores_stage(),
        made_stage(
            "group_weights", "Weights of tokens and landmarks",
            {"softmax over the own block and the landmarks of others",
             {{"scores"}},
             "own block and\nlandmarks,\nsoftmax\n→"},
            {.lights = "weights", .role = StageRole::weights, .is_share = true, .leaves_out_masked = true}),
        made_stage(
            "block_shares", "Shares within each block",
            {"softmax of each block by itself", {{"scores"}}, "each block,\nsoftmax\n→"},
            {.lights = "weights", .role = StageRole::weights, .is_share = true, .leaves_out_masked = true}),
        declared_weights_stage({"of a token by itself, or of its landmark times its share",
                                {{"group_weights"}, {"block_shares", "and"}},
                                "landmark\n× share\n→"},
                               {.is_share = true})};
    component.define = define_landmark;
    return component;
}

}  // namespace headlight
