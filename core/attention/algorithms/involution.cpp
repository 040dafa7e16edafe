#include "core/attention/algorithms/image_grid.h"

#include <algorithm>

namespace headlight {
namespace {

ImageKernel involution_kernel(const Plan& plan) { return {kernel_side(plan)}; }

Index kernel_hidden_width(const Plan& plan) {
    return std::max<Index>(1, plan.head_query_width() / plan.algorithm().count("reduction"));
}

/// Each place makes the kernel around it from its own features (Li et al. 2021, equations 4 and 6).
Expression define_involution(Composer& composer) {
    const ImageGrid grid(composer.plan);
    const Expression hidden = composer.let(
        "kernel_hidden", relu_of(product(composer.query, composer.matrices_of_heads("W_kernel_hidden"))),
        "relu(q W), few features");
    const Expression taps =
        composer.let("kernel_taps", product(hidden, composer.matrices_of_heads("W_kernel_taps")),
                     "the kernel of each place, tap by tap");
    return write_attended_values(composer, composer.let("weights",
                                                        taps_at_places(composer, "meets_place", taps, grid,
                                                                       involution_kernel(composer.plan)),
                                                        "the taps at their places"));
}

}  // namespace

AlgorithmComponent declare_algorithms_involution() {
    AlgorithmComponent component;
    component.meaning =
        "o_i = Σ_t H_i,t v_(i+t), H_i = relu(q_i W) W': each place of a grid that the tokens fill row by row "
        "makes from its query alone the kernel by which the values around it are summed, one for all "
        "features of a head (Li et al. 2021); what lies outside has values of 0";
    component.options = {columns_option(), kernel_option("How many places around a place its kernel meets."),
                         count_option("reduction", "Reduction", 4, logarithmic_range(1, 512),
                                      "How many times narrower than a head the layer is that the kernels are "
                                      "made of; it has one unit at least.")};
    component.known_parameters = {
        {"W_kernel_hidden", "[h d_k, d_k / reduction], head below head",
         "makes the features of which kernels are made"},
        {"W_kernel_taps", "[h d_k / reduction, taps], head below head", "makes the kernel of a place"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index hidden = kernel_hidden_width(plan);
        list.add("W_kernel_hidden", {plan.query_width, hidden});
        list.add("W_kernel_taps", {plan.heads * hidden, involution_kernel(plan).taps()});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "involution", "the kernel lies around the token’s own place");
        refuse_turned_vectors(plan, "involution", "no query meets a key");
        refuse_masked_image(plan, "involution");
    };
    component.declared_stages = {
        made_stage("kernel_hidden", "Hidden layer of the kernels",
                   {"few features of each query", {{"query"}}, "× W,\nrelu\n→"},
                   {.lights = "kernel_taps", .has_features = true}),
        made_stage("kernel_taps", "Kernels of the places",
                   {"a row of taps for each place", {{"kernel_hidden"}}, "× W\n→"},
                   {.lights = "weights", .has_features = true}),
        declared_weights_stage({"the taps at their places", {{"kernel_taps"}}, "at their\nplaces\n→"})};
    component.define = define_involution;
    return component;
}

}  // namespace headlight
