#include "core/attention/algorithms/gated_image.h"

namespace headlight {
namespace {

/// What every number is multiplied by, [h, n, d], from the gates of channels [h, 1, d] and places [h, n, 1].
Expression factors_of_both(const Composer& composer, const Expression& of_channels,
                           const Expression& of_places) {
    const std::string& combined = composer.plan.algorithm().word("combined");
    if (combined == "sum")
        return of_channels + of_places;
    if (combined == "product")
        return of_channels * of_places;
    // The larger of x g and x h, which is the smaller of both gates where x is below 0.
    return choose(is_at_least(composer.query, 0), larger_of(of_channels, of_places),
                  smaller_of(of_channels, of_places));
}

/// x σ(channels) and x σ(places), both in one (Roy et al. 2018).
Expression define_scse(Composer& composer) {
    const Expression of_channels = gates_of_channels(composer, "mean");
    const Expression of_places = composer.let(
        "place_gate", sigmoid_of(product_transposed(composer.query, composer.parameter("w_place_gate"))),
        "what each place is multiplied by");
    const Expression factors =
        composer.let("feature_factors", factors_of_both(composer, of_channels, of_places), "of both gates");
    write_gates_as_weights(composer, factors);
    return composer.let("context", composer.query * factors, "every number times its factor");
}

}  // namespace

AlgorithmComponent declare_algorithms_scse() {
    AlgorithmComponent component;
    component.meaning =
        "o = x ∘ c + x p, their larger one, or x ∘ c p: c = σ(relu(z W_squeeze) W_excite) of the means z of "
        "the channels, p = σ(w · x) of each place (Roy et al. 2018); the weights shown are a diagonal, the "
        "mean factor";
    component.options = {
        word_option("combined", "Both gates", {"sum", "maximum", "product"},
                    "What is made of the image gated by channels and the one gated by places: their sum, the "
                    "larger of both numbers, or one gate after the other."),
        reduction_option()};
    component.known_parameters = channel_gate_parameters();
    component.known_parameters.push_back(
        {"w_place_gate", "[C] per head, shared by the heads", "makes the gate of a place"});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_channel_gate_parameters(plan, list);
        list.add("w_place_gate", {plan.head_query_width()});
    };
    component.check = [](const Plan& plan) { check_gated_image(plan, "scse"); };
    component.makes_keys_and_values = true;
    component.declared_stages = {
        declared_squeeze("channel_gate"),
        declared_hidden("channel_gate"),
        made_stage("channel_gate", "Gates of the channels",
                   {"the same at every place", {{"hidden"}}, "× W,\nσ\n→"},
                   {.lights = "feature_factors", .is_of_features = true, .row = "text", .is_share = true}),
        made_stage("place_gate", "Gate of the places",
                   {"the same for every channel", {{"query"}}, "× w,\nσ\n→"},
                   {.lights = "feature_factors", .has_features = true, .is_share = true}),
        made_stage("feature_factors", "Factors of the features",
                   {"of both gates", {{"channel_gate"}, {"place_gate", "and"}}}, {.lights = "output"}),
        declared_gates_as_weights("feature_factors", false),
        declared_gated_features("feature_factors")};
    component.define = define_scse;
    return component;
}

}  // namespace headlight
