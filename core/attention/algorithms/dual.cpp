#include "core/attention/algorithms/image_grid.h"

namespace headlight {
namespace {

double dual_strength(const Plan& plan, const char* name) { return plan.algorithm().number(name); }

/// Places look at places, and channels at channels, side by side (Fu et al. 2019, equations 1 to 4).
Expression define_dual(Composer& composer) {
    const Options& options = composer.plan.algorithm();
    const Expression scores = composer.let(
        "scores", product_transposed(composer.query, composer.key) * scale_of_queries(composer), "q · k");
    const Expression weights = softmax_of(composer, "weights", scores);
    const Expression attended =
        composer.let("attended", product(weights, composer.value), "the values that each place gets");
    const Expression alike =
        composer.let("feature_scores", product(transposed(composer.value), composer.value),
                     "the products of two channels over the places");
    const bool is_inverted = options.word("channels") == "unlike";
    const Expression map = softmax_of(composer, "feature_weights", is_inverted ? -alike : alike);
    const Expression channels = composer.let("mixed_channels", product_transposed(composer.value, map),
                                             "the channels that each channel gets");
    const Expression sum =
        dual_strength(composer.plan, "alpha") * attended + dual_strength(composer.plan, "beta") * channels;
    return composer.let("context", options.flag("residual") ? sum + 2 * composer.value : sum,
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
    component.changes_context = always;
    component.declared_stages = {
        declared_scores_stage({"q · k", {{"query"}, keys_of("key", "and")}, "products\n→"}),
        declared_weights_stage(),
        declared_attended_stage(),
        made_stage("feature_scores", "Scores of the features",
                   {"the products of two channels over the places",
                    {{.stage = "value", .transposed = true, .as_keys = true}, keys_of("value", "×")},
                    "="},
                   {.lights = "feature_weights", .is_of_features = true}),
        declared_softmax_stage("feature_scores", "feature_weights", "Weights of the features",
                               "what each channel takes from each channel",
                               {.lights = "mixed_channels", .is_of_features = true}),
        made_stage(
            "mixed_channels", "Mixed channels",
            {"the channels that each channel gets",
             {keys_of("value"), {.stage = "feature_weights", .operator_before = "×", .transposed = true}},
             "="},
            {.colours_of = "value", .lights = "context"}),
        declared_own_context_stage({"what places and channels find, and the values",
                                    {{"attended"}, {"mixed_channels", "+"}},
                                    "by their\nstrengths\n→"})};
    component.define = define_dual;
    return component;
}

}  // namespace headlight
