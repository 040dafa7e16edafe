#include "core/attention/algorithms/faded_columns.h"
#include "core/attention/recurrence.h"

namespace headlight {
namespace {

/// ln softplus(x). Of a number as far below 0 as this the softplus is e^x to the last digit, and the
/// logarithm x itself, where e^x may be no number of the processor's any more.
Expression log_of_softplus(const Expression& x) {
    constexpr double straight = -40;
    return log_of(softplus_of(larger_of(x, straight))) + smaller_of(x - straight, 0);
}

/// Gates and keys of one number g for each feature, which a second number tempers (He et al. 2025, the
/// data-dependent tempered selection): the state keeps e^(-g τ) and the key is written g^τ times.
FadedColumns write_tempered_keys(Composer& composer) {
    const Expression numbers =
        composer.let("selection_numbers", numbers_of_tokens(composer, "selection"), "y W_selection + b");
    const Expression selected =
        composer.let("selection_gates", softplus_of(numbers), "g: how much each feature is to change");
    const Expression tempered =
        composer.let("temperature_gates", sigmoid_of(numbers_of_tokens(composer, "temperature")),
                     "τ: how far the feature follows g");
    const Expression log_gates =
        composer.let("feature_log_gates", -selected * tempered, "ln of what each feature of the state keeps");
    composer.let("gates", exp_of(log_gates), "what each feature of the state keeps");
    const Expression strengths =
        composer.let("feature_strengths", exp_of(tempered * log_of_softplus(numbers)),
                     "g^τ: how much of the key is written");
    const Expression unit = direction_of(composer, "unit_key", composer.key);
    return write_gated_columns(composer, log_gates,
                               composer.let("written_keys", strengths * unit, "the keys that are written"));
}

Expression define_rodimus(Composer& composer) {
    return write_read_columns(composer, write_tempered_keys(composer));
}

}  // namespace

AlgorithmComponent declare_algorithms_rodimus() {
    AlgorithmComponent component;
    component.meaning =
        "S ← diag(e^(−g τ)) S + (g^τ k)ᵀ v, o = q S, |k| = 1, g = softplus(y W_selection + b_selection), "
        "τ = σ(y W_temperature + b_temperature): gated linear attention whose gates and keys follow one "
        "number, which another tempers (He et al. 2025)";
    component.options = {scaled_option(false)};
    component.known_parameters = {
        {"W_selection", "[d, h d_k]", "projects the keys’ token vectors to how much each feature changes"},
        {"b_selection", "[h d_k]", "is added to these numbers before their softplus"},
        {"W_temperature", "[d, h d_k]", "projects the keys’ token vectors to a temperature for each feature"},
        {"b_temperature", "[h d_k]", "is added to the temperatures before their sigmoid"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.heads * plan.head_query_width();
        list.add_with_bias("W_selection", {plan.tokens.key_width, width});
        list.add_with_bias("W_temperature", {plan.tokens.key_width, width});
    };
    component.declared_stages = {
        made_stage("selection_gates", "Selection gates",
                   {"g: how much each feature is to change", token_operands(),
                    "× W_selection\n+ b_selection,\nsoftplus\n→"},
                   {.is_of_keys = true, .has_features = true}),
        made_stage(
            "temperature_gates", "Temperature gates",
            {"τ: how far the feature follows g", token_operands(), "× W_temperature\n+ b_temperature,\nσ\n→"},
            {.is_of_keys = true, .has_features = true, .is_share = true}),
        made_stage("gates", "Gates",
                   {"e^(−g τ): what each feature of the state keeps when this token is written",
                    {{"selection_gates"}, {"temperature_gates", "×"}},
                    "e^−\n→"},
                   {.lights = "weights", .is_of_keys = true, .has_features = true, .is_share = true}),
        made_stage("written_keys", "Written keys",
                   {"g^τ k / |k|",
                    {keys_of("key"), keys_of("selection_gates", "and"), keys_of("temperature_gates", "and")},
                    "÷ |k|, × g^τ\n→"},
                   {.colours_of = "key", .lights = "weights", .is_of_keys = true, .has_features = true}),
        declared_weights_stage(
            {"products of queries and written keys, each feature faded by the gates in between",
             {{"query"}, times_keys_of("written_keys"), keys_of("gates", "and")},
             "feature by\nfeature\n→"}),
    };
    component.define = define_rodimus;
    return component;
}

}  // namespace headlight
