#include "core/attention/algorithms/channel_maps.h"
#include "core/attention/algorithms/delta_states.h"

namespace headlight {
namespace {

/// What is left of each feature of a value at a later token, [h d_v, n, n].
Expression write_left_of_values(Composer& composer, const SummedGates& gates) {
    return composer.let(
        "left_of_values",
        left_between(as_channels(composer, gates.at_read), transposed(as_channels(composer, gates.so_far))),
        "[channel, query, key]: what the gates have left of each feature");
}

Expression write_oja_gates(Composer& composer) {
    return composer.let("log_gates",
                        log_sigmoid_of(numbers_of_tokens(composer, "value_gates")) /
                            composer.plan.algorithm().number("temperature"),
                        "ln of what each feature keeps of the tokens before");
}

/// The delta rule with values in the place of keys. What is written, u, is the key without what the state
/// holds along the value: U = (I + L)^-1 diag(β) K, L of products of values.
Expression define_gated_oja(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression strengths = write_strengths_of_tokens(composer);
    const Expression unit = direction_of(composer, "unit_value", of_all_heads(composer, composer.value));
    std::optional<SummedGates> gates;
    if (state_forgets(plan))
        gates = write_state_gates(composer, write_oja_gates(composer));
    const Expression asked = write_asked_products(composer, "asked_products", strengths * unit, unit, gates);
    const Expression errors = composer.let(
        "solved_keys",
        product(write_inverse_of_asked(composer, asked), strengths * of_all_heads(composer, composer.key)),
        "keys without what the state holds along the value");
    const Expression read = write_read_products(composer, "read_products", composer.query, errors, {});
    if (!gates) {
        const Expression weights = composer.let("weights", read, "what each query gets of each direction");
        return composer.let("context", product(weights, unit), "the directions that each query gets");
    }
    const Expression maps =
        composer.let("channel_maps", for_channels(composer, read) * write_left_of_values(composer, *gates),
                     "[channel, query, key]: what is read, faded by the gates of the channel");
    write_mean_of_channels(composer, maps);
    return write_mixed_channels(composer, maps, unit);
}

}  // namespace

AlgorithmComponent declare_algorithms_gated_oja() {
    AlgorithmComponent component;
    component.meaning =
        "S ← S diag(α), S ← S + β (k − S v) vᵀ, o = Sᵀ q, |v| = 1, α = σ(y W_value_gates + "
        "b_value_gates)^(1/τ) for "
        "each feature of the values: Oja’s rule, which takes from a key what the state holds along the value "
        "(gated_oja_rule of flash-linear-attention; Oja 1982); causal whatever the mask";
    component.options = {forgets_option(),
                         number_option("temperature", "Gate temperature τ", 16.0,
                                       logarithmic_range(0.1, 1000),
                                       "The root that is taken of every gate: the larger, the nearer to 1."),
                         scaled_option(true)};
    add_delta_rule_names(component.known_parameters);
    append(
        component.known_parameters,
        {{"W_value_gates", "[d, h d_v]", "projects token vectors to a gate for each feature of the values"},
         {"b_value_gates", "[h d_v]", "is added to these gates before their sigmoid"}});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_delta_rule_parameters(plan, list);
        if (!state_forgets(plan))
            return;
        const Index channels = channels_of_values(plan);
        list.add_with_bias("W_value_gates", {plan.tokens.key_width, channels});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "gated_oja", why_state_is_of_one_sequence);
    };
    component.changes_context = always;
    component.declared_stages = {
        made_stage("log_gates", "Log gates",
                   {"ln of what each feature keeps of the tokens before", token_operands(),
                    "× W_value_gates\n+ b_value_gates,\nln σ, ÷ τ\n→"},
                   {.lights = "weights", .is_of_keys = true}),
        declared_cumulative_gates_stage({"log_gates"}, "weights"),
        declared_strengths(),
        made_stage("unit_value_direction", "Directions of the values",
                   {"v / |v|", {keys_of("value")}, "÷ |v|\n→"},
                   {.lights = "asked_products", .is_of_keys = true}),
        made_stage("asked_products", "Products of asking",
                   {"what each value finds of those before it",
                    {{"unit_value_direction"},
                     times_keys_of("unit_value_direction"),
                     {"write_strengths", "and"},
                     optional_stage("cumulative_gates", "and")},
                    "those before,\n× β\n→"},
                   {.lights = "solved_keys", .role = StageRole::scores}),
        made_stage("inverse", "Inverse of the system",
                   {"what each changed key has of each key", {{"asked_products"}}, "(I + L)⁻¹\n→"},
                   {.lights = "solved_keys"}),
        made_stage("solved_keys", "Changed keys",
                   {"errors: keys without what the state had along the value",
                    {{"inverse"}, keys_of("key", "×"), {"write_strengths", "and"}},
                    "× β\n→"},
                   {.colours_of = "key", .lights = "read_products", .is_of_keys = true}),
        made_stage(
            "read_products", "Read products",
            {"what each query reads of what each token writes", {{"query"}, times_keys_of("solved_keys")}},
            {.lights = "weights", .role = StageRole::scores, .leaves_out_masked = true}),
        declared_weights_stage({"of the directions of the values, the mean over the channels",
                                {{"read_products"}, optional_stage("cumulative_gates", "and")},
                                "each channel\nfades, mean\n→"}),
        declared_own_context_stage(
            {"",
             {{"unit_value_direction"}, {"read_products", "and"}, optional_stage("cumulative_gates", "and")},
             "by the map\nof each channel\n→"})};
    component.define = define_gated_oja;
    return component;
}

}  // namespace headlight
