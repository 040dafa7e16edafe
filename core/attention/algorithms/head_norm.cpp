#include "core/attention/algorithms/head_context_norm.h"
#include "core/attention/algorithms/row_norms.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

/// 1 − λ, so that deeper layers add less; 1 where nothing is less.
double factor_of_depth(const Plan& plan) {
    const Options& options = plan.algorithm();
    return options.flag("depth") ? 1 - lambda_of_layer(options) : 1;
}

Expression define_head_norm(Composer& composer, const Expression& attended) {
    const Expression normed =
        over_root_mean_square(composer, "normed_attended", attended, smallest_context_variance,
                              "over the root of the mean of its squares");
    const double factor = factor_of_depth(composer.plan);
    const Expression gain = composer.parameter("g_found");
    return normed * (factor == 1 ? gain : gain * factor);
}

}  // namespace

AlgorithmComponent declare_algorithms_head_norm() {
    AlgorithmComponent component;
    component.meaning =
        "o = (1 − λ) g ∘ c / √(mean c²), c what a head finds, λ = 0.8 − 0.6 exp(−0.3 layer): a norm of each "
        "head by itself, less in deeper layers, as behind multi-token attention (Golovneva et al. 2025)";
    component.options = {
        flag_option("depth", "Less in deeper layers", true,
                    "Whether the normalised contexts are multiplied by 1 − λ, which falls with the number of "
                    "the layer."),
        declared_layer(
            "Number of the layer, from 0: what a head finds is multiplied by 0.8 there, by less in deeper "
            "layers, and by 0.2 in the deepest.")};
    component.known_parameters = {{"g_found", "[d_v] per head, shared by the heads",
                                   "scales each feature of what a head finds, behind its norm"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("g_found", {plan.head_value_width()}, 1.0);
    };
    component.is_composed = true;
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_attended_stage(),
        declared_own_context_stage(
            {"over its root mean square, times a gain", {{"attended"}}, "÷ rms, × g\n→"})};
    component.define_context = define_head_norm;
    return component;
}

}  // namespace headlight
