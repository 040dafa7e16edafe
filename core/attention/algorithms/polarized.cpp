#include "core/attention/algorithms/gated_image.h"

namespace headlight {
namespace {

bool is_sequential(const Plan& plan) { return plan.algorithm().word("arrangement") == "sequential"; }

/// Half the channels, one at least.
Index half_of_channels(const Plan& plan) { return std::max<Index>(1, plan.head_query_width() / 2); }

/// All places are summed up by a softmax over them; every channel gets a gate, [h, 1, d].
Expression write_polarized_channel_gate(Composer& composer) {
    const Expression shares = softmax_of(
        composer, "place_shares", product_transposed(composer.parameter("w_place_query"), composer.query));
    const Expression summary =
        composer.let("place_summary", product(shares, composer.projected(composer.query, "W_channel_values")),
                     "the mean of the places by these shares, in half the channels");
    const Expression numbers = composer.let("channel_numbers", composer.projected(summary, "W_channel_gate"),
                                            "a number of each channel");
    const Expression scores = layer_normalized(composer, "normalized_channels", numbers);
    return composer.let("channel_gate", sigmoid_of(scores), "what each channel is multiplied by");
}

/// All channels are summed up by a softmax over them; every place gets a gate, [h, n, 1].
Expression write_polarized_spatial_gate(Composer& composer, const Expression& image) {
    const Expression mean =
        composer.let("image_mean", mean_of_rows(image), "the mean of each channel over the image");
    const Expression shares =
        softmax_of(composer, "channel_shares", composer.projected(mean, "W_place_queries"));
    const Expression values = composer.let("place_values", composer.projected(image, "W_place_values"),
                                           "half the channels of each place");
    return composer.let("spatial_gate", sigmoid_of(product_transposed(values, shares)),
                        "what each place is multiplied by");
}

/// Gates of the channels and of the places: their sum, or one behind the other (Liu et al. 2021).
Expression define_polarized(Composer& composer) {
    const Expression across = write_polarized_channel_gate(composer);
    if (is_sequential(composer.plan)) {
        const Expression image =
            composer.let("channel_gated", composer.query * across, "every channel times its gate");
        const Expression along = write_polarized_spatial_gate(composer, image);
        write_gates_as_weights(composer, composer.let("feature_factors", across * along, "both gates"));
        return composer.let("context", image * along, "every place times its gate");
    }
    const Expression along = write_polarized_spatial_gate(composer, composer.query);
    const Expression factors =
        composer.let("feature_factors", across + along, "the gate of the channel and that of the place");
    write_gates_as_weights(composer, factors);
    return composer.let("context", composer.query * factors, "every number times its factor");
}

}  // namespace

AlgorithmComponent declare_algorithms_polarized() {
    AlgorithmComponent component;
    component.meaning =
        "o = x ∘ (g_channel + g_place): g_channel is σ(norm(W z)) with z the mean of the places by a softmax "
        "over them, g_place is σ(a · x W) with a a softmax over half the channels; or one gate behind the "
        "other (Liu et al. 2021); the weights shown are a diagonal, the mean factor";
    component.options = {
        word_option("arrangement", "Arrangement", {"parallel", "sequential"},
                    "Whether the image goes through both gates side by side and what comes out is added, or "
                    "first through that of the channels and then through that of the places.")};
    component.known_parameters = {
        {"w_place_query", "[C] per head, shared by the heads", "asks each place for its share"},
        {"W_channel_values", "[C, C / 2]", "what of each place is summed up for the gates of the channels"},
        {"W_channel_gate", "[C / 2, C]", "makes the gates of the channels of that sum"},
        {"W_place_queries", "[C, C / 2]", "makes the shares of the channels of their means"},
        {"W_place_values", "[C, C / 2]", "what of each place is summed up for its own gate"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index channels = plan.head_query_width(), half = half_of_channels(plan);
        list.add("w_place_query", {channels});
        list.add("W_channel_values", {channels, half});
        list.add("W_channel_gate", {half, channels});
        list.add("W_place_queries", {channels, half});
        list.add("W_place_values", {channels, half});
    };
    component.check = [](const Plan& plan) { check_gated_image(plan, "polarized"); };
    component.makes_keys_and_values = true;
    component.declared_stages = {
        made_stage("place_shares", "Shares of the places",
                   {"softmax over the places", {{"query"}}, "· w,\nsoftmax\n→"},
                   {.lights = "place_summary", .is_of_features = true, .row = "sum", .is_share = true}),
        made_stage("place_summary", "Places, summed up",
                   {"their mean by these shares, in half the channels",
                    {{"place_shares"}, {"query", "×"}},
                    "× W\n→"},
                   {.lights = "channel_gate", .is_of_features = true}),
        made_stage("channel_gate", "Gates of the channels",
                   {"the same at every place", {{"place_summary"}}, "× W, norm,\nσ\n→"},
                   {.lights = "output", .is_of_features = true, .row = "text", .is_share = true}),
        made_stage("channel_gated", "Features behind the gates of the channels",
                   {"", {{"query"}, {"channel_gate", "∘"}}, "at each\nplace\n→"},
                   {.colours_of = "query", .lights = "output"}),
        made_stage("channel_shares", "Shares of the channels",
                   {"softmax over half the channels", {{"query"}}, "mean, × W,\nsoftmax\n→"},
                   {.lights = "spatial_gate", .is_of_features = true, .is_share = true}),
        made_stage("spatial_gate", "Gates of the places",
                   {"the same for all channels",
                    {{"query"}, {.stage = "channel_shares", .operator_before = "× W ×", .transposed = true}},
                    "σ\n→"},
                   {.lights = "output", .has_features = true, .is_share = true}),
        made_stage("feature_factors", "Factors of the features",
                   {"", {{"channel_gate"}, {"spatial_gate", "and"}}, "together\n→"}, {.lights = "output"}),
        declared_gates_as_weights("feature_factors", false),
        declared_gated_features("feature_factors")};
    component.define = define_polarized;
    return component;
}

}  // namespace headlight
