#include "core/attention/algorithms/feature_map.h"
#include "core/attention/algorithms/image_grid.h"

namespace headlight {
namespace {

ImageKernel contextual_window(const Plan& plan) { return {kernel_side(plan)}; }

bool is_fused_by_shares(const Plan& plan) { return plan.algorithm().word("fusion") == "selective"; }

/// What the keys around each place say together, [h, n, d_v]: a convolution of each head.
Expression write_static_context(Composer& composer, const ImageGrid& grid) {
    const Expression around = composer.let(
        "keys_around",
        around_places(composer, "keys_around", composer.key, grid, contextual_window(composer.plan)),
        "the keys that the kernel meets at each place, tap by tap");
    return composer.let("static_context", product(around, composer.matrices_of_heads("W_context")),
                        "the keys around each place, convolved");
}

/// The numbers by which each place mixes its window, [h, n, taps]: of its query and of what stands around it.
Expression write_neighbour_weights(Composer& composer, const Expression& static_context) {
    const Expression hidden = composer.let(
        "contextual_hidden",
        relu_of(composer.projected(join_columns({static_context, composer.query}), "W_context_hidden")),
        "of the static context and the query, side by side");
    const Expression scores = composer.let("neighbour_scores", composer.projected(hidden, "W_neighbours"),
                                           "a number for each place of the window");
    return composer.plan.algorithm().flag("softmax") ? softmax_of(composer, "neighbour_weights", scores)
                                                     : scores;
}

/// Σ_b a_bc y_bc of both contexts, a softmax over the two for each channel, made from the means of their sum.
Expression write_fused(Composer& composer, const Expression& first, const Expression& second) {
    const Index channels = composer.plan.head_value_width();
    const Expression mean =
        composer.let("squeeze", mean_of_rows(first + second),
                     "the mean of each channel over the image, of both contexts together");
    const Expression hidden = write_hidden(composer, mean, "W_fusion_hidden");
    const Expression all_scores = composer.projected(hidden, "W_fusion");
    const Expression scores =
        composer.let("fusion_scores",
                     from_row(all_scores, channels, 2,
                              [=](Index channel, Index part) { return part * channels + channel; }),
                     "a number for each context of each channel");
    const Expression shares = transposed(softmax_of(composer, "fusion_shares", scores));
    return composer.let("context", first * some_rows(shares, {0}) + second * some_rows(shares, {1}),
                        "both contexts by their shares");
}

/// Contextual Transformer (Li et al. 2023).
Expression define_contextual(Composer& composer) {
    const ImageGrid grid(composer.plan);
    const ImageKernel window = contextual_window(composer.plan);
    const Expression static_context = write_static_context(composer, grid);
    const Expression of_window = write_neighbour_weights(composer, static_context);
    const Expression weights =
        composer.let("weights", taps_at_places(composer, "is_in_window", of_window, grid, window),
                     "the numbers of the window at their places");
    const Expression dynamic_context = composer.let("dynamic_context", product(weights, composer.value),
                                                    "the values around each place, mixed");
    if (is_fused_by_shares(composer.plan))
        return write_fused(composer, static_context, dynamic_context);
    return composer.let("context", static_context + dynamic_context, "both contexts");
}

void add_contextual_parameters(const Plan& plan, ParameterList& list) {
    const Index taps = contextual_window(plan).taps(), hidden = hidden_width(plan);
    const Index channels = plan.head_value_width();
    list.add("W_context", {plan.heads * taps * plan.head_key_width(), channels});
    list.add("W_context_hidden", {channels + plan.head_query_width(), hidden});
    list.add("W_neighbours", {hidden, taps});
    if (!is_fused_by_shares(plan))
        return;
    list.add("W_fusion_hidden", {channels, hidden});
    list.add("W_fusion", {hidden, 2 * channels});
}

}  // namespace

AlgorithmComponent declare_algorithms_contextual() {
    AlgorithmComponent component;
    component.meaning =
        "k¹ = keys ∗ W on a grid that the tokens fill row by row, A = relu([k¹, q] W_θ) W_δ a number for "
        "each place of a window, k² = Σ A v over the window, o = k¹ and k² by shares that sum to 1 for each "
        "channel, or their sum (Li et al. 2023, CoT); what lies outside the grid is zero; the weights shown "
        "are A";
    Option kernel = kernel_option("How many places around a place its window has.");
    kernel.label = "Window";
    kernel.choices = {"1x1", "3x3", "5x5"};
    Option reduction = reduction_option();
    reduction.standard = Index(2);
    reduction.help =
        "How many times narrower than a query the hidden layers are; they have one unit at least.";
    component.options = {
        columns_option(), kernel, reduction,
        flag_option(
            "softmax", "Softmax", false,
            "Whether the numbers of a window go through a softmax; the paper takes them as they are."),
        word_option("fusion", "Fusion", {"selective", "sum"},
                    "How both contexts become one: each channel by shares that are made from the image as a "
                    "whole, as in the paper, or added.")};
    component.known_parameters = {
        {"W_context", "[h k² d_k, d_v] with a window of k × k, head below head, tap by tap",
         "convolves the keys around each place"},
        {"W_context_hidden", "[d_v + d_k, d_k / reduction], shared by the heads",
         "first layer of the numbers of a window, of the static context and the query"},
        {"W_neighbours", "[d_k / reduction, k²], shared by the heads", "makes the numbers of a window"},
        {"W_fusion_hidden", "[d_v, d_k / reduction], shared by the heads",
         "first layer of the shares of both contexts"},
        {"W_fusion", "[d_k / reduction, 2 d_v], shared by the heads",
         "makes the shares of both contexts, those of the static one first"}};
    component.parameters = add_contextual_parameters;
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "contextual", "the window lies around the token’s own place");
        refuse_turned_vectors(plan, "contextual", "no query meets a key");
        refuse_masked_image(plan, "contextual");
    };
    component.changes_context = always;
    component.declared_stages = {
        made_stage("static_context", "Static context",
                   {"the keys around each place, convolved", {keys_of("key")}, "kernel\n→"},
                   {.lights = "context", .has_features = true}),
        made_stage("contextual_hidden", "Hidden layer of the windows",
                   {"of the static context and the query",
                    {{"static_context"}, {"query", "and"}},
                    "× W_θ,\nrelu\n→"},
                   {.lights = "weights", .has_features = true}),
        made_stage("neighbour_scores", "Numbers of the windows",
                   {"one for each place of the window", {{"contextual_hidden"}}, "× W_δ\n→"},
                   {.lights = "weights", .has_features = true}),
        declared_softmax_stage("neighbour_scores", "neighbour_weights", "Shares of the windows",
                               "softmax over the window of each place",
                               {.lights = "weights", .has_features = true}),
        declared_weights_stage(
            {"the numbers of the window at their places", {{"neighbour_scores"}}, "at their\nplaces\n→"}),
        made_stage("dynamic_context", "Dynamic context",
                   {"the values around each place, mixed", {{"weights"}, keys_of("value", "×")}, "="},
                   {.colours_of = "value", .lights = "context", .has_features = true}),
        made_stage("squeeze", "Channels, squeezed",
                   {"the mean of each channel over the image, of both contexts",
                    {{"static_context"}, {"dynamic_context", "+"}},
                    "mean\n→"},
                   {.lights = "fusion_shares", .is_of_features = true}),
        declared_hidden("fusion_shares"),
        made_stage("fusion_scores", "Scores of both contexts",
                   {"a row for each channel, the static context first", {{"hidden"}}, "× W\n→"},
                   {.lights = "fusion_shares", .is_of_features = true, .has_features = true}),
        declared_softmax_stage("fusion_scores", "fusion_shares", "Shares of both contexts",
                               "what each channel takes of each",
                               {.lights = "output", .is_of_features = true, .has_features = true}),
        made_stage(
            "context", "Context",
            {"the static and the dynamic one", {{"static_context"}, {"dynamic_context", "and"}}, "fused\n→"},
            {.lights = "output"})};
    component.define = define_contextual;
    return component;
}

}  // namespace headlight
