#include "core/attention/algorithms/value_convolution.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

/// Is added to the mean that a row is divided by, as the authors’ code has it.
constexpr double smallest_polar_mean = 1e-6;

/// What lies above 0, each feature to its own power.
Expression write_polar_features(Composer& composer, const std::string& name, const Expression& x,
                                const Expression& powers) {
    return composer.let(name, power_of(relu_of(x), powers), "what lies above 0, to its power");
}

/// Shares of products, over their mean, as the tensor `name`_weights.
Expression write_polar_map(Composer& composer, const std::string& name, const Expression& products) {
    const Expression count = composer.mask_excludes()
                                 ? not_zero(sum_of_columns(as_number(composer.allowed())))
                                 : Expression(static_cast<double>(composer.plan.keys));
    const Expression parts =
        composer.let(name + "_products", composer.where_open(products, 0) / count, "products over n");
    return composer.let(name + "_weights", parts / (sum_of_columns(parts) + smallest_polar_mean),
                        "over the sum of the row");
}

/// Two maps, of like signs for the first half of the values and of unlike ones for the second (Meng et al.
/// 2025).
Expression define_polarity(Composer& composer) {
    const Plan& plan = composer.plan;
    const double reach = composer.plan.algorithm().number("reach");
    const Expression powers =
        composer.let("feature_powers", 1 + reach * sigmoid_of(composer.parameter_of_heads("polar_power")),
                     "of each feature, between 1 and 1 + α");
    const Expression scale =
        composer.let("feature_scales", softplus_of(composer.parameter_of_heads("polar_scale")),
                     "what each feature is divided by");
    const Expression q = composer.let("scaled_query", composer.query / scale);
    const Expression k = composer.let("scaled_key", composer.key / scale);
    const Expression q_above = write_polar_features(composer, "query_above", q, powers),
                     q_below = write_polar_features(composer, "query_below", -q, powers),
                     k_above = write_polar_features(composer, "key_above", k, powers),
                     k_below = write_polar_features(composer, "key_below", -k, powers);
    const Expression like = write_polar_map(
        composer, "like", product_transposed(q_above, k_above) + product_transposed(q_below, k_below));
    const Expression unlike = write_polar_map(
        composer, "unlike", product_transposed(q_below, k_above) + product_transposed(q_above, k_below));
    composer.let("weights", 0.5 * like + 0.5 * unlike, "the mean over the features of a value");
    const Index half = plan.head_value_width() / 2;
    Expression context =
        composer.let("signed_context",
                     join_columns({product(like, some_columns(composer.value, counted(0, half))),
                                   product(unlike, some_columns(composer.value, counted(half, half)))}),
                     "half of each value by one map and half by the other");
    context = with_filtered_values(composer, context);
    if (composer.plan.algorithm().flag("gate"))
        context = context * composer.projected_by_heads(composer.query_tokens, "W_polar_gate");
    return composer.let("context", context, "times what the token says of each feature");
}

}  // namespace

AlgorithmComponent declare_algorithms_polarity() {
    AlgorithmComponent component;
    component.meaning =
        "two maps of linear attention, products of features of like signs, q₊·k₊ + q₋·k₋, for the first half "
        "of each value, and of unlike signs, q₋·k₊ + q₊·k₋, for the second, each feature to a learned power; "
        "the context times a projection of the token (PolaFormer, Meng et al. 2025)";
    component.options = {
        number_option(
            "reach", "Powers above 1, α", 4.0, {0, 16},
            "Powers of features are learned between 1 and 1 + α; 0: no powers. The paper has 3 to 5."),
        flag_option("gate", "Product with the token", true,
                    "Multiplies each feature of the context by a projection of the query’s token, which "
                    "learns what like and unlike signs are worth."),
        value_convolution_option()};
    component.known_parameters = {
        {"polar_power", "[h d_k]", "of which a sigmoid makes the power of each feature"},
        {"polar_scale", "[h d_k]", "of which a softplus makes what each feature is divided by"},
        {"W_polar_gate", "[d_q, h d_v]", "projects a token vector to what its context is multiplied by"},
        value_filter_name()};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.heads * plan.head_query_width();
        list.add("polar_power", {width}, 0.0);
        list.add("polar_scale", {width}, 0.0);
        if (plan.algorithm().flag("gate"))
            list.add("W_polar_gate", {plan.tokens.query_width, plan.context_width()});
        add_value_filter(plan, list);
    };
    component.check = [](const Plan& plan) { check_value_filter(plan, "polarity algorithm"); };
    component.paired = {{.of = "features of a head’s values",
                         .why = "half of each value goes with like signs and half with unlike",
                         .count = [](const Plan& plan) { return plan.head_value_width(); }}};
    component.takes_any_mask = true;
    component.changes_context = always;
    const auto declared_map = [](const std::string& name, const std::string& title,
                                 const std::string& subtitle) {
        return made_stage(
            name, title, {subtitle, {{"query"}, keys_of("key", "and")}, "± parts,\npowers, ×,\n÷ sum\n→"},
            {.lights = "weights", .role = StageRole::weights, .is_share = true, .leaves_out_masked = true});
    };
    component.declared_stages = {
        declared_map("like_weights", "Weights of like signs", "for the first half of each value"),
        declared_map("unlike_weights", "Weights of unlike signs", "for the second half of each value"),
        declared_weights_stage(
            {"the mean of both maps", {{"like_weights"}, {"unlike_weights", "and"}}, "mean\n→"},
            {.is_share = true}),
        made_stage("signed_context", "Values by signs",
                   {"half of each value by one map and half by the other",
                    {{"like_weights"}, {"unlike_weights", "and"}, keys_of("value", "×")},
                    "half by\nhalf\n→"},
                   {.colours_of = "value", .lights = "context"}),
        declared_own_context_stage(
            {"", {{"signed_context"}, optional_stage("tokens", "and")}, "+ filter,\n∘ x W\n→"}),
        declared_value_filters()};
    component.define = define_polarity;
    return component;
}

}  // namespace headlight
