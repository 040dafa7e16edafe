#include "core/attention/algorithms/gated_image.h"
#include "core/attention/algorithms/image_grid.h"

namespace headlight {
namespace {

constexpr Index bam_side = 3;

ImageKernel dilated_kernel(const Plan& plan) { return {bam_side, plan.algorithm().count("dilation")}; }

/// A number for each channel, the same at every place, [h, 1, d].
Expression write_channel_scores(Composer& composer) {
    const Expression mean = write_squeeze(composer);
    const Expression hidden = write_hidden(composer, mean);
    return composer.let("channel_scores", composer.projected(hidden, "W_excite"),
                        "what the image as a whole says of each channel");
}

/// A number for each place, the same for every channel, [h, n, 1].
Expression write_place_scores(Composer& composer) {
    const ImageGrid grid(composer.plan);
    const ImageKernel kernel = dilated_kernel(composer.plan);
    const Expression reduced =
        composer.let("reduced_places", relu_of(composer.projected(composer.query, "W_reduce")),
                     "few features of each place");
    const auto convolved = [&](const std::string& name, const Expression& image,
                               const std::string& parameter) {
        const Expression around = composer.let(
            name + "_around", around_places(composer, name, image, grid, kernel), "what the kernel meets");
        return composer.let(name, relu_of(composer.projected(around, parameter)));
    };
    const Expression once = convolved("convolved_places", reduced, "W_dilated_1"),
                     twice = convolved("place_hidden", once, "W_dilated_2");
    return composer.let("spatial_scores", product_transposed(twice, composer.parameter("w_place")),
                        "what its neighbourhood says of each place");
}

/// x (1 + σ(channels + places)) (Park et al. 2018).
Expression define_bam(Composer& composer) {
    const Expression gates = composer.let(
        "feature_gates", sigmoid_of(write_channel_scores(composer) + write_place_scores(composer)),
        "of the sum for the channel and for the place");
    const Expression factors = composer.let("feature_factors", 1 + gates, "the image itself is added");
    write_gates_as_weights(composer, factors);
    return composer.let("context", composer.query * factors, "every number times its factor");
}

}  // namespace

AlgorithmComponent declare_algorithms_bam() {
    AlgorithmComponent component;
    component.meaning =
        "o = x ∘ (1 + σ(M_c + M_s)) on a grid that the tokens fill row by row: M_c is two layers on the "
        "means of the channels, M_s two dilated convolutions on fewer channels (Park et al. 2018); places "
        "that an incomplete last row lacks count in no mean and are zero for the convolution; the weights "
        "shown are a diagonal, the mean factor";
    component.options = {columns_option(), reduction_option(),
                         count_option("dilation", "Dilation", 4, logarithmic_range(1, 64),
                                      "How many steps lie between the places that a kernel of 3 x 3 meets: a "
                                      "large one sees far, and misses a small grid.")};
    component.known_parameters = channel_gate_parameters();
    append(
        component.known_parameters,
        {{"W_reduce", "[C, C / reduction] per head, shared by the heads", "makes few features of each place"},
         {"W_dilated_1", "[9 C / reduction, C / reduction]", "the first dilated convolution, tap by tap"},
         {"W_dilated_2", "[9 C / reduction, C / reduction]", "the second dilated convolution, tap by tap"},
         {"w_place", "[C / reduction]", "makes one number of the features of a place"}});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_channel_gate_parameters(plan, list);
        const Index hidden = hidden_width(plan), met = dilated_kernel(plan).taps() * hidden;
        list.add("W_reduce", {plan.head_query_width(), hidden});
        list.add("W_dilated_1", {met, hidden});
        list.add("W_dilated_2", {met, hidden});
        list.add("w_place", {hidden});
    };
    component.check = [](const Plan& plan) { check_gated_image(plan, "bam"); };
    component.makes_keys_and_values = true;
    component.declared_stages = {
        declared_squeeze("channel_scores"),
        declared_hidden("channel_scores"),
        made_stage("channel_scores", "Numbers of the channels",
                   {"the same at every place", {{"hidden"}}, "× W\n→"},
                   {.lights = "feature_gates", .is_of_features = true}),
        made_stage("reduced_places", "Places, reduced",
                   {"few features of each place", {{"query"}}, "× W,\nrelu\n→"},
                   {.lights = "spatial_scores", .has_features = true}),
        made_stage("convolved_places", "Places, convolved",
                   {"with their neighbours, a dilation apart", {{"reduced_places"}}, "kernel,\nrelu\n→"},
                   {.lights = "spatial_scores", .has_features = true}),
        made_stage("place_hidden", "Places, convolved twice",
                   {"", {{"convolved_places"}}, "kernel,\nrelu\n→"},
                   {.lights = "spatial_scores", .has_features = true}),
        made_stage("spatial_scores", "Numbers of the places",
                   {"the same for every channel", {{"place_hidden"}}, "× w\n→"},
                   {.lights = "feature_gates", .has_features = true}),
        made_stage("feature_gates", "Gates of the features",
                   {"σ of the sum", {{"channel_scores"}, {"spatial_scores", "+"}}, "σ\n→"},
                   {.lights = "output", .is_share = true}),
        made_stage("feature_factors", "Factors of the features",
                   {"1 + the gate: the image itself is added", {{"feature_gates"}}, "+ 1\n→"},
                   {.lights = "output"}),
        declared_gates_as_weights("feature_factors", false),
        declared_gated_features("feature_factors")};
    component.define = define_bam;
    return component;
}

}  // namespace headlight
