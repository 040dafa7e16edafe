#include "core/attention/algorithms/image_grid.h"

namespace headlight {
namespace {

double dual_strength(const Plan& plan, const char* name) {
    return option<double>(plan.spec.algorithm.options, name);
}

/// Places look at places, and channels at channels, side by side (Fu et al. 2019, equations 1 to 4).
Expression define_dual(Composer& composer) {
    const Options& options = algorithm_options(composer);
    const Expression scores = composer.let(
        "scores", product_transposed(composer.query, composer.key) * scale_of_queries(composer), "q · k");
    const Expression weights = softmax_of(composer, "weights", scores);
    const Expression attended =
        composer.let("attended", product(weights, composer.value), "the values that each place gets");
    const Expression alike =
        composer.let("feature_scores", product(transposed(composer.value), composer.value),
                     "the products of two channels over the places");
    const bool is_inverted = option<std::string>(options, "channels") == "unlike";
    const Expression map = softmax_of(composer, "feature_weights", is_inverted ? -alike : alike);
    const Expression channels = composer.let("mixed_channels", product_transposed(composer.value, map),
                                             "the channels that each channel gets");
    const Expression sum =
        dual_strength(composer.plan, "alpha") * attended + dual_strength(composer.plan, "beta") * channels;
    return composer.let("context", option<bool>(options, "residual") ? sum + 2 * composer.value : sum,
                        "both, by their strengths");
}

}  // namespace

AlgorithmComponent declare_algorithms_dual() {
    AlgorithmComponent component;
    component.meaning = "o = (α A v + v) + (β v Xᵀ + v): A = softmax(q kᵀ) of places, X = softmax(vᵀ v) of "
                        "channels, and what both find is added (Fu et al. 2019, DANet); the weights shown "
                        "are A";
    const auto strength = [](const char* name, const char* label, const std::string& what) {
        return number_option(name, label, 1.0, {-10, 10},
                             "What " + what + " find is multiplied by; it is learned, and starts at 0.");
    };
    component.options = {
        strength("alpha", "Places α", "places"), strength("beta", "Channels β", "channels"),
        word_option(
            "channels", "Channels look at", {"alike", "unlike"},
            "Whether channels take most of those that are like them, as the paper writes, or of those that "
            "are not, as its code has it: the largest product of a row less each product."),
        flag_option("residual", "Adds the values", true,
                    "Whether the values themselves are added, once beside each of both maps."),
        flag_option("scaled", "Scaled", false,
                    "Whether the products of places are divided by √d_k; the paper leaves them.")};
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "dual", "an image looks at itself");
        refuse_masked_image(plan, "dual");
    };
    component.changes_context = [](const AttentionSpec&) { return true; };
    component.declared_stages = {
        {.name = "scores",
         .title = "Scores",
         .subtitle = "q · k",
         .operands = {{"query"}, {.stage = "key", .operator_before = "and", .as_keys = true}},
         .operation = "products\n→",
         .role = StageRole::scores},
        declared_weights_stage(),
        declared_attended_stage(),
        {.name = "feature_scores",
         .title = "Scores of the features",
         .subtitle = "the products of two channels over the places",
         .operands = {{.stage = "value", .transposed = true, .as_keys = true},
                      {.stage = "value", .operator_before = "×", .as_keys = true}},
         .operation = "=",
         .lights = "feature_weights",
         .is_of_features = true},
        declared_softmax_stage("feature_scores", {.name = "feature_weights",
                                                  .title = "Weights of the features",
                                                  .subtitle = "what each channel takes from each channel",
                                                  .lights = "mixed_channels",
                                                  .is_of_features = true}),
        {.name = "mixed_channels",
         .title = "Mixed channels",
         .subtitle = "the channels that each channel gets",
         .operands = {{.stage = "value", .as_keys = true},
                      {.stage = "feature_weights", .operator_before = "×", .transposed = true}},
         .operation = "=",
         .colours_of = "value",
         .lights = "context"},
        declared_own_context_stage({.subtitle = "what places and channels find, and the values",
                                    .operands = {{"attended"}, {"mixed_channels", "+"}},
                                    .operation = "by their\nstrengths\n→"})};
    component.define = define_dual;
    return component;
}

}  // namespace headlight
