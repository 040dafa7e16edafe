#include "core/attention/algorithms/token_blocks.h"
#include "core/attention/component.h"

#include <algorithm>

namespace headlight {
namespace {

/// What blocks find by their means, by a gate, and what tokens find in the best blocks (Zhang et al. 2025).
Expression define_video_sparse(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, m = plan.keys;
    const Index size = composer.plan.algorithm().count("block");
    const TokenBlocks asking = blocks_of_queries(plan, size), known = blocks_of_keys(plan, size);
    const Expression queries =
        write_block_means(composer, "mean_query", composer.query, asking, "the mean query of each block");
    const Expression keys =
        write_block_means(composer, "mean_key", composer.key, known, "the mean key of each block");
    const Expression values =
        write_block_means(composer, "mean_value", composer.value, known, "the mean value of each block");
    const BlockMap map = write_block_map(composer, queries, keys, known);
    const Expression chosen =
        write_fine_weights(composer, map, known, composer.plan.algorithm().count("selected"));
    const Expression gates = composer.let(
        "coarse_gates", composer.projected_by_heads(composer.query_tokens, "W_coarse", "b_coarse"),
        "how much of what blocks find is taken");
    const Expression share = composer.of_places(
        "share_of_block", {0, 1, m}, "what a key has of its block’s share", [known](Place at) {
            return at.column < known.real ? 1 / static_cast<double>(known.real_in(at.column / known.size))
                                          : 0.0;
        });
    const Expression mean_gate = sum_of_columns(gates) / static_cast<double>(plan.head_value_width());
    composer.let("weights", chosen + mean_gate * (of_block_pairs(composer, map.weights, size) * share),
                 "of both, the gate in the mean of its features");
    std::vector<Index> own_blocks;
    for (Index query = 0; query < n; ++query)
        own_blocks.push_back(query / size);
    const Expression found = composer.let(
        "coarse_context", some_rows(composer.let("block_context", product(map.weights, values)), own_blocks),
        "what the query’s block found");
    return composer.let("context", product(chosen, composer.value) + gates * found,
                        "the values of the best blocks, and by the gate what blocks found");
}

}  // namespace

AlgorithmComponent declare_algorithms_video_sparse() {
    AlgorithmComponent component;
    component.meaning =
        "o = softmax(q kᵀ / √d over the k blocks of the largest q̄ · k̄) v + (x W + b) ∘ softmax(q̄ k̄ᵀ / √d) v̄, "
        "means over blocks: all tokens of a block see the same blocks, and by a gate what the means found "
        "(VSA, Zhang et al. 2025)";
    component.options = {count_option("block", "Block", 3, token_counts,
                                      "How many tokens a block has; in the paper a cube of 4 × 4 × 4 places "
                                      "of a video, whose tokens are put one after another."),
                         count_option("selected", "Blocks that are looked at again", 1, token_counts,
                                      "How many blocks each block sees token by token, those of the largest "
                                      "scores of means; of equal ones the first.")};
    component.known_parameters = {
        {"W_coarse", "[d, h d_v]", "projects token vectors to the gate of what blocks found"},
        {"b_coarse", "[h d_v]", "is added to it"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add_with_bias("W_coarse", {plan.tokens.query_width, plan.context_width()});
    };
    component.needs_one_end = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_block_weights("softmax of the products of means"), declared_fine_weights(),
        made_stage("coarse_gates", "Gates of what blocks found", {"x W + b"},
                   {.lights = "weights", .has_features = true}),
        declared_weights_stage({"of both, the gate in the mean of its features",
                                {{"fine_weights"}, {"coarse_weights", "and"}},
                                "added, by\nthe gates\n→"},
                               {.is_share = true}),
        declared_own_context_stage({"of the best blocks, and by the gate of all",
                                    {keys_of("value"), {"fine_weights", "and"}, {"coarse_gates", "and"}},
                                    "by both\nmaps\n→"})};
    component.define = define_video_sparse;
    return component;
}

}  // namespace headlight
