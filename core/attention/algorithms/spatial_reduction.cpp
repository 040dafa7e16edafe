#include "core/attention/algorithms/gated_image.h"
#include "core/attention/algorithms/grid_windows.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

/// Patches of a grid, each of which becomes one key.
GridWindows patches_of(const Plan& plan) { return {ImageGrid(plan), plan.algorithm().count("ratio")}; }

bool reduction_is_learned(const Plan& plan) {
    return plan.algorithm().word("pooling") == "learned" && plan.algorithm().count("ratio") > 1;
}
bool normalizes_patches(const Plan& plan) {
    return plan.algorithm().flag("norm") && plan.algorithm().count("ratio") > 1;
}

Expression mean_patches(Composer& composer, const GridWindows& patches) {
    const Expression means = composer.constant(
        "patch_means", {0, patches.count(), patches.grid.places()}, "means over the patches",
        [patches](Index, Index patch, Index place) {
            return patches.of(place) == patch ? 1 / static_cast<double>(patches.places_in(patch)) : 0.0;
        });
    return product(means, composer.key_tokens);
}

/// Keys and values are made of patches, not of places (Wang et al. 2021).
Expression define_spatial_reduction(Composer& composer) {
    const Plan& plan = composer.plan;
    const GridWindows patches = patches_of(plan);
    Expression reduced = composer.key_tokens;
    if (patches.side > 1)
        reduced = reduction_is_learned(plan)
                      ? product(write_tokens_side_by_side(composer, "patches", patches),
                                composer.parameter("W_patch"))
                      : mean_patches(composer, patches);
    reduced = composer.let("reduced_tokens", reduced, "a vector for each patch");
    if (normalizes_patches(plan))
        reduced = layer_normalized(composer, "normalized_patches", reduced);
    const auto of_key_heads = [&](const std::string& parameter) {
        const Expression all = composer.projected(reduced, parameter);
        return composer.of_query_heads(split_heads(all, plan.kv_heads > 1 ? plan.kv_heads : 0));
    };
    const Expression keys = composer.let("pooled_keys", of_key_heads("W_patch_key"), "a key for each patch");
    const Expression values =
        composer.let("pooled_values", of_key_heads("W_patch_value"), "a value for each patch");
    const Expression scores =
        composer.let("pooled_scores", scaled_products(composer, composer.query, keys), "q · k / √d");
    const Expression shares = softmax_of(composer, "pooled_weights", scores);
    std::vector<Index> patch;
    for (Index place = 0; place < plan.keys; ++place)
        patch.push_back(patches.of(place));
    const Expression counts =
        composer.constant("places_of_patch", {0, 1, plan.keys}, "places in the patch of each token",
                          [patches](Index, Index, Index place) {
                              return static_cast<double>(patches.places_in(patches.of(place)));
                          });
    composer.let("weights", some_columns(shares, patch) / counts,
                 "the weight of its patch, in equal parts for its tokens");
    return composer.let("context", product(shares, values), "the values of the patches");
}

void check_spatial_reduction(const Plan& plan) {
    require_one_sequence(plan, "spatial_reduction",
                         "the tokens of one image are its queries and its patches");
    refuse_turned_vectors(plan, "spatial_reduction", "a patch has no place of its own to be turned by");
    refuse_masked_image(plan, "spatial_reduction");
    if (plan.spec.heads.sharing != Sharing::none)
        throw Error({"spatial_reduction", "heads", "projections of their own for queries, keys and values",
                     "shared ones"});
}

}  // namespace

AlgorithmComponent declare_algorithms_spatial_reduction() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(Q K′ᵀ / √d) V′ with K′ = y W_k, V′ = y W_v and y the patches of R × R tokens, each made "
        "into one vector by a matrix and a norm, so that the map has n / R² columns (Wang et al. 2021, PVT); "
        "the tokens fill a grid row by row, and places that a patch lacks are zero; the weights shown share "
        "that of a patch equally among its tokens";
    component.options = {
        columns_option(),
        count_option("ratio", "Ratio R", 2, logarithmic_range(1, 64),
                     "How many tokens a patch has along each side; with 1 every token is a key, as without "
                     "this algorithm."),
        word_option("pooling", "Pooling", {"learned", "mean"},
                    "Whether a learned matrix makes a vector of a patch, or the mean does."),
        flag_option("norm", "Norm", true,
                    "Whether the vector of a patch is normalised before keys and values are made of it.")};
    component.known_parameters = {
        {"W_patch", "[R R d, d]", "makes a vector of the tokens of a patch, one below another"},
        {"W_patch_key", "[d, h_kv d_k]", "projects patches to keys"},
        {"W_patch_value", "[d, h_kv d_v]", "projects patches to values"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.tokens.key_width, side = plan.algorithm().count("ratio");
        if (reduction_is_learned(plan))
            list.add("W_patch", {side * side * width, width});
        list.add("W_patch_key", {width, plan.key_width});
        list.add("W_patch_value", {width, plan.value_width});
    };
    component.check = check_spatial_reduction;
    component.makes_keys_and_values = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("reduced_tokens", "Patches",
                   {"a vector for each patch", {keys_of("tokens")}, "patch by\npatch\n→"},
                   {.lights = "pooled_keys", .is_of_features = true, .row = "patch"}),
        made_stage(
            "pooled_keys", "Pooled keys", {"a key for each patch", {{"reduced_tokens"}}, "norm,\n× W_k\n→"},
            {.colours_of = "query", .lights = "pooled_weights", .is_of_features = true, .row = "patch"}),
        made_stage("pooled_values", "Pooled values",
                   {"a value for each patch", {{"reduced_tokens"}}, "norm,\n× W_v\n→"},
                   {.lights = "output", .is_of_features = true, .row = "patch"}),
        made_stage("pooled_scores", "Scores of the pooled keys",
                   {"q · k / √d",
                    {{"query"}, {.stage = "pooled_keys", .operator_before = "×", .transposed = true}},
                    "÷ √d\n→"},
                   {.lights = "pooled_weights", .has_features = true, .column = "patch"}),
        declared_softmax_stage("pooled_scores", "pooled_weights", "Weights of the pooled keys",
                               "what each token takes from each patch",
                               {.lights = "output", .has_features = true, .column = "patch"}),
        declared_weights_stage({"that of the patch, in equal parts for its tokens",
                                {{"pooled_weights"}},
                                "÷ tokens\nof a patch\n→"},
                               {.is_share = true}),
        made_stage("context", "Context", {"", {{"pooled_weights"}, {"pooled_values", "×"}}, "="},
                   {.colours_of = "pooled_values", .lights = "output"})};
    component.define = define_spatial_reduction;
    return component;
}

}  // namespace headlight
