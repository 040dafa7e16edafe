#include "core/attention/algorithms/grid_windows.h"
#include "core/attention/algorithms/pooled_rows.h"
#include "core/attention/widths.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

bool biases_windows(const Plan& plan) { return plan.algorithm().flag("biases"); }
/// How far two places of a window can lie apart along one side, in either direction, and not at all.
Index offsets_in_window(const Plan& plan) { return 2 * grid_windows(plan).side - 1; }

/// A token for each region, made of the tokens in it, that has looked at those of all regions: [regions, d].
Expression write_region_tokens(Composer& composer, const GridWindows& regions) {
    const AttentionSpec& spec = composer.plan.spec;
    const Expression made =
        composer.let("region_tokens",
                     composer.projected(write_tokens_side_by_side(composer, "region_places", regions),
                                        "W_region", "b_region"),
                     "a token for each region");
    const Expression query = composer.let("region_query", queries_of_rows(composer, made)),
                     key = composer.let("region_key", keys_of_rows(composer, made)),
                     value = composer.let("region_value", values_of_rows(composer, made));
    const Expression scores = composer.let("scores_of_regions", scaled_products(composer, query, key),
                                           "what regions ask of one another");
    const Expression weights = softmax_of(composer, "weights_of_regions", scores);
    const Expression found =
        composer.let("found_by_regions", join_heads(product(weights, value)), "what each region finds");
    return composer.let("informed_regions",
                        made + (projects_output(spec)
                                    ? composer.projected(found, "W_o", spec.projections.bias ? "b_o" : "")
                                    : found),
                        "regions that know of one another");
}

/// The scores [h, n, n] of places with the bias of how they lie to each other in their region.
Expression with_biases(Composer& composer, const GridWindows& regions, const Expression& scores) {
    const Plan& plan = composer.plan;
    if (!biases_windows(plan))
        return scores;
    const Index places = regions.grid.places(), offsets = offsets_in_window(plan);
    const auto offset = [regions, offsets](Index query, Index key) {
        if (regions.of(query) != regions.of(key))
            return Index(0);
        const Index down = regions.grid.row(key) - regions.grid.row(query) + regions.side - 1,
                    right = regions.grid.column(key) - regions.grid.column(query) + regions.side - 1;
        return down * offsets + right;
    };
    const Expression table = composer.matrices_of_heads("B_region");
    return composer.let("scores_with_offsets", scores + from_row(table, places, places, offset),
                        "with the bias of each offset");
}

/// Regions look at one another, then every place at those of its region and at the region itself, by the same
/// matrices (Chen et al. 2022).
Expression define_region_tokens(Composer& composer) {
    const Plan& plan = composer.plan;
    const GridWindows regions = grid_windows(plan);
    const std::vector<Index> own = regions.of_places();
    const Expression informed = write_region_tokens(composer, regions);
    const Expression key = composer.let("informed_key", keys_of_rows(composer, informed)),
                     value = composer.let("informed_value", values_of_rows(composer, informed));

    const Expression scores = with_biases(composer, regions, write_scaled_products(composer));
    const Expression of_own =
        sum_of_columns(composer.query * some_rows(key, own)) / root_of_head_width(composer);
    const Expression joined = softmax_of(
        composer, "joined_weights",
        join_columns({of_own, choose(pairs_in_window(composer, regions), scores, minus_infinity())}));
    const Expression of_region = composer.let("region_weights", some_columns(joined, {0}),
                                              "what each place takes of its region’s token");
    const Expression weights = composer.let("weights", some_columns(joined, counted(1, plan.keys)),
                                            "what is left for the places of the region");
    return composer.let("context", product(weights, composer.value) + of_region * some_rows(value, own),
                        "of the places and of the region’s token");
}

void check_region_tokens(const Plan& plan) {
    require_one_sequence(plan, "region_tokens", "the tokens of one image lie in its regions");
    refuse_turned_vectors(plan, "region_tokens", "the token of a region has no place to be turned by");
    refuse_masked_image(plan, "region_tokens");
    require_one_token_width(plan, "region_tokens");
    if (plan.output_width != plan.tokens.query_width)
        throw Error({"region_tokens", "output",
                     "as many features as a token has, " + std::to_string(plan.tokens.query_width) +
                         ": what regions find is added to what they are",
                     std::to_string(plan.output_width)});
}

}  // namespace

AlgorithmComponent declare_algorithms_region_tokens() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(q [k_r; K_r]ᵀ / √d) [v_r; V_r] in the region of each token, k_r and v_r of r′ = r + "
        "Attention(r), r the regions, [y_1; y_2; …] W + b of the tokens in them: regions look at one "
        "another, then tokens at their region and in it, by the same matrices (RegionViT, Chen et al. "
        "2022); the tokens fill a grid row by row, and places that a region lacks are zero";
    component.options = {columns_option(), window_size_option(),
                         flag_option("biases", "Biases", true,
                                     "Whether the scores of two tokens of a region have a learned bias for "
                                     "how they lie to each other, which begins at 0.")};
    component.known_parameters = {
        {"W_region", "[size² d, d]", "makes a region’s token of those in it, one below another"},
        {"b_region", "[d]", "is added to that"},
        {"B_region", "[h, (2 size − 1)²]", "the bias of each offset between two tokens of a region"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.tokens.query_width, side = grid_windows(plan).side;
        list.add_with_bias("W_region", {side * side * width, width});
        if (biases_windows(plan))
            list.add("B_region", {plan.heads, offsets_in_window(plan) * offsets_in_window(plan)}, 0.0);
    };
    component.check = check_region_tokens;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("region_tokens", "Tokens of the regions",
                   {"each made of the tokens in it", {{"tokens"}}, "side by side,\n× W, + b\n→"},
                   {.lights = "weights_of_regions", .is_of_features = true, .row = "region"}),
        made_stage("scores_of_regions", "Scores of regions",
                   {"what they ask of one another: q · k / √d", {{"region_tokens"}}, "q · k / √d\n→"},
                   between_parts("region", "region", {.lights = "weights_of_regions"})),
        declared_softmax_stage("scores_of_regions", "weights_of_regions", "Weights of regions",
                               "softmax of each row",
                               between_parts("region", "region", {.lights = "informed_regions"})),
        made_stage("informed_regions", "Regions that know of one another",
                   {"each with what it found in the others",
                    {{"region_tokens"}, {"weights_of_regions", "and"}},
                    "+ what they\nfind\n→"},
                   {.colours_of = "region_tokens",
                    .lights = "region_weights",
                    .is_of_features = true,
                    .row = "region"}),
        declared_scores_stage(),
        made_stage("scores_with_offsets", "Scores with the biases of offsets",
                   {"how a token lies to another of its region", {{"scores"}}, "+ B\n→"},
                   {.lights = "scores", .role = StageRole::scores}),
        made_stage("region_weights", "Weights of the own region",
                   {"what each token takes of its region’s token",
                    {{"query"}, {"informed_regions", "and"}},
                    "softmax with\nits places\n→"},
                   {.lights = "output", .is_share = true}),
        declared_weights_stage({"what the region’s token leaves for the tokens in it",
                                {{"scores"}},
                                "softmax with\nthe region\n→"},
                               {.is_share = true}),
        declared_context_stage("value", "the values of the tokens and of the region’s", "+ region\n→")};
    component.define = define_region_tokens;
    return component;
}

}  // namespace headlight
