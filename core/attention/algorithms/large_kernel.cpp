#include "core/attention/algorithms/gated_image.h"
#include "core/attention/algorithms/image_grid.h"

namespace headlight {
namespace {

Index steps_between_taps(const Plan& plan) { return plan.algorithm().count("dilation"); }

/// As wide as what lies between the taps of the second one.
ImageKernel near_kernel(const Plan& plan) { return {2 * steps_between_taps(plan) - 1}; }
ImageKernel far_kernel(const Plan& plan) { return {kernel_side(plan), steps_between_taps(plan)}; }

/// x ∘ (what a large kernel, in three parts, makes of x) (Guo et al. 2023, equations 1 and 2).
Expression define_large_kernel(Composer& composer) {
    const Plan& plan = composer.plan;
    const ImageGrid grid(plan);
    const Expression near =
        composer.let("near_convolved",
                     convolved_channels(composer, "near", composer.query, composer.parameter("W_near_kernel"),
                                        grid, near_kernel(plan)),
                     "each channel with its neighbours");
    const Expression far = composer.let(
        "far_convolved",
        convolved_channels(composer, "far", near, composer.parameter("W_far_kernel"), grid, far_kernel(plan)),
        "and with places some steps away");
    const Expression factors =
        composer.let("feature_factors", composer.projected(far, "W_far_mix"), "all channels of a place");
    write_gates_as_weights(composer, factors);
    return composer.let("context", composer.query * factors, "every number times its factor");
}

}  // namespace

AlgorithmComponent declare_algorithms_large_kernel() {
    AlgorithmComponent component;
    component.meaning =
        "o = x ∘ (f W), f each channel of a grid convolved by a kernel of its own and by another one whose "
        "taps lie some steps apart: together a large kernel (LKA, Guo et al. 2023); the weights shown are a "
        "diagonal, the mean factor, which may be below 0";
    component.options = {
        columns_option(),
        kernel_option(
            "The side of the second kernel in taps; the authors take 7x7, with 3 steps in between."),
        count_option("dilation", "Dilation d", 3, {1, 4},
                     "How many steps lie between the taps of the second kernel; the first one has the side 2 "
                     "d − 1, so that nothing in between is missed.")};
    component.known_parameters = {
        {"W_near_kernel", "[(2 d − 1)², C]", "the first kernel of each channel, tap by tap"},
        {"W_far_kernel", "[taps, C]", "the second kernel of each channel"},
        {"W_far_mix", "[C, C]", "makes the factors of a place of all its channels"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index channels = plan.head_query_width();
        list.add("W_near_kernel", {near_kernel(plan).taps(), channels});
        list.add("W_far_kernel", {far_kernel(plan).taps(), channels});
        list.add("W_far_mix", {channels, channels});
    };
    component.check = [](const Plan& plan) { check_gated_image(plan, "large_kernel"); };
    component.makes_keys_and_values = true;
    component.declared_stages = {
        made_stage("near_convolved", "With the neighbours",
                   {"each channel by a small kernel of its own", {{"query"}}, "kernel\n→"},
                   {.lights = "feature_factors", .has_features = true}),
        made_stage("far_convolved", "With places farther off",
                   {"by a second kernel, its taps some steps apart", {{"near_convolved"}}, "kernel\n→"},
                   {.lights = "feature_factors", .has_features = true}),
        made_stage("feature_factors", "Factors of the features",
                   {"all channels of a place together", {{"far_convolved"}}, "× W\n→"},
                   {.lights = "output", .has_features = true}),
        declared_gates_as_weights("feature_factors", false), declared_gated_features("feature_factors")};
    component.define = define_large_kernel;
    return component;
}

}  // namespace headlight
