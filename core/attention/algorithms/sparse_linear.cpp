#include "core/attention/algorithms/token_blocks.h"
#include "core/attention/component.h"

namespace headlight {
namespace {

/// φ(x) [h, tokens, d] as the stage `name`_features.
Expression write_block_features(Composer& composer, const std::string& name, const Expression& x) {
    const auto& map = composer.plan.algorithm().word("map");
    if (map == "softmax")
        return softmax_of(composer, name + "_features", x);
    return composer.let(name + "_features", map == "relu" ? relu_of(x) : positive_features(x),
                        map == "relu" ? "what is above 0" : "elu(x) + 1");
}

/// Linear attention over the keys of blocks that are neither among the best nor left out, or over all keys,
/// as the stage `linear_weights`: of a block of queries as many blocks each time, where there are any.
Expression write_linear_weights(Composer& composer, const BlockMap& map, const TokenBlocks& known) {
    const Options& options = composer.plan.algorithm();
    const bool is_of_all = options.word("over") == "all";
    const Index blocks = parts_of_size(known.real, known.size),
                first = is_of_all ? 0 : options.count("selected"),
                end = is_of_all ? blocks : blocks - options.count("skipped");
    const Expression ranks = of_block_pairs(composer, map.ranks, known.size);
    const Expression is_rest =
        both_of(real_keys_of_blocks(composer, known), both_of(is_at_least(ranks, static_cast<double>(first)),
                                                              is_above(static_cast<double>(end), ranks)));
    // The shares are those of φ(q) itself, but no product vanishes because q and k are both small.
    const Expression read = composer.let(
        "features_over_largest", over_largest(write_block_features(composer, "query", composer.query)),
        "each query’s features over the largest of them");
    const Expression products = composer.let(
        "products_of_rest",
        choose(is_rest, product_transposed(read, write_block_features(composer, "key", composer.key)), 0),
        "what takes the place of exp(q · k) in the other blocks");
    const Expression sum = sum_of_columns(products);
    const bool is_above_0 = first < end && options.word("map") != "relu";
    return composer.let("linear_weights", products / (is_above_0 ? sum : not_zero(sum)),
                        "over the sum of each row");
}

/// What a softmax finds in the best blocks, and linear attention, projected, in the others (Zhang et al.
/// 2026).
Expression define_sparse_linear(Composer& composer) {
    const Plan& plan = composer.plan;
    const Options& options = composer.plan.algorithm();
    const auto size = options.count("block");
    const TokenBlocks known = blocks_of_keys(plan, size);
    const Expression queries =
        write_block_means(composer, "mean_query", composer.query, blocks_of_queries(plan, size),
                          "the mean query of each block");
    const Expression keys =
        write_block_means(composer, "mean_key", composer.key, known, "the mean key of each block");
    const BlockMap map = write_block_map(composer, queries, keys, known);
    const Expression fine = write_fine_weights(composer, map, known, options.count("selected"));
    const Expression linear = write_linear_weights(composer, map, known);
    const Index width = plan.head_value_width();
    const Expression W = composer.parameter("W_linear");
    const Expression kept = composer.let("linear_share",
                                         sum_of_columns(sum_of_rows(W * unit_matrix(composer, width))) /
                                             static_cast<double>(width),
                                         "the mean of what the layer keeps of each feature");
    composer.let("weights", fine + kept * linear, "of both, the layer in the mean of its diagonal");
    const Expression found =
        composer.let("linear_context", product(linear, composer.value), "what linear attention finds");
    return composer.let("context",
                        product(fine, composer.value) + product(found, W) + composer.parameter("b_linear"),
                        "the values of the best blocks, and by a layer those of the others");
}

}  // namespace

AlgorithmComponent declare_algorithms_sparse_linear() {
    AlgorithmComponent component;
    component.meaning =
        "o = softmax(q kᵀ / √d in the blocks of the largest q̄ · k̄) v + (φ(q) φ(k)ᵀ / Σ in the others) v W + "
        "b: large weights one by one, small ones by a map of low rank (SLA, Zhang et al. 2026)";
    component.options = {
        count_option("block", "Block", 3, token_counts,
                     "How many tokens a block has; 64 in the authors’ code."),
        count_option("selected", "Blocks of the softmax", 1, logarithmic_range(0, 65536),
                     "How many blocks each block sees by the softmax, those of the largest scores of means; "
                     "of equal ones the first.",
                     "none"),
        count_option("skipped", "Blocks that are left out", 0, logarithmic_range(0, 65536),
                     "How many blocks, those of the smallest scores, are not even seen by linear attention. "
                     "The softmax’s are never left out.",
                     "none"),
        word_option("over", "Linear attention over", {"rest", "all"},
                    "The blocks that the softmax does not see, as in the paper, or all keys, as in the "
                    "newest version of the authors’ code, where none is left out."),
        word_option("map", "Feature map φ", {"softmax", "elu", "relu"},
                    "What linear attention compares: the softmax of a vector over its features, elu(x) + 1, "
                    "or what is above 0.")};
    component.known_parameters = {
        {"W_linear", "[d_v, d_v]", "projects what linear attention finds, the same in all heads"},
        {"b_linear", "[d_v]", "is added to what linear attention finds"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.head_value_width();
        list.add_with_bias("W_linear", {width, width});
    };
    component.needs_one_end = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_block_weights("softmax of the products of means"),
        declared_fine_weights(),
        made_stage("query_features", "Features of the queries", {"φ(q)", {{"query"}}, "φ\n→"},
                   {.lights = "linear_weights", .has_features = true}),
        made_stage("key_features", "Features of the keys", {"φ(k)", {keys_of("key")}, "φ\n→"},
                   {.colours_of = "query_features",
                    .lights = "linear_weights",
                    .is_of_keys = true,
                    .has_features = true}),
        declared_shares_stage("linear_weights", "Linear weights",
                              {"φ(q) · φ(k) over the sum of the row",
                               {{"query_features"}, times_keys_of("key_features")},
                               "÷ sum\n→"}),
        declared_weights_stage({"of both, the layer in the mean of its diagonal",
                                {{"fine_weights"}, {"linear_weights", "and"}},
                                "added, by\nthe layer\n→"}),
        declared_own_context_stage({"of the best blocks, and by the layer of others",
                                    {keys_of("value"), {"fine_weights", "and"}, {"linear_weights", "and"}},
                                    "by both\nmaps\n→"})};
    component.define = define_sparse_linear;
    return component;
}

}  // namespace headlight
