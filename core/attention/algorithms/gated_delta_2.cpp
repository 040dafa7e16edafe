#include "core/attention/algorithms/delta_states.h"

namespace headlight {
namespace {

/// A sigmoid of each token, [h, n, d].
Expression sigmoid_gates(Composer& composer, const std::string& name, double most, const std::string& suffix,
                         const std::string& note) {
    return composer.let(name, shares_of_tokens(composer, suffix, most), note);
}

Expression define_gated_delta_2(Composer& composer) {
    const std::optional<SummedGates> gates = write_forget_gates(composer, "alpha");
    const Expression erases =
        sigmoid_gates(composer, "erase_gates", largest_strength(composer.plan), "erase",
                      "b: how much each feature of the key counts where the state is asked");
    const Expression writes = sigmoid_gates(composer, "value_gates", 1, "write",
                                            "w: how much of each feature of the value is written");
    const Expression unit = direction_of(composer, "unit_key", composer.key);
    const Expression asks = composer.let("erasing_key", erases * unit, "b ∘ k: by what the state is asked");
    const Expression values = composer.let("gated_value", writes * composer.value, "w ∘ v: what is written");
    const Expression read = write_read_products(composer, "read_products", composer.query, unit, gates);
    const Expression asked = write_asked_products(composer, "asked_products", asks, unit, gates);
    return write_inverse_of_values(composer, read, write_inverse_of_asked(composer, asked), values);
}

}  // namespace

AlgorithmComponent declare_algorithms_gated_delta_2() {
    AlgorithmComponent component;
    component.meaning =
        "S ← diag(α) S, then S ← S + k (w ∘ v − Sᵀ (b ∘ k))ᵀ, b = σ(y W_erase + b_erase) for each feature of "
        "the key, w = σ(y W_write + b_write) for each of the value, α as in kimi_delta, |k| = 1: what is "
        "erased and what is written have gates of their own; causal whatever the mask (Hatamizadeh et al. "
        "2026)";
    component.options = {forgets_option(), overshoot_option(false, "erase gate"), scaled_option(true)};
    component.known_parameters = feature_gate_names();
    append(
        component.known_parameters,
        {{"W_erase", "[d, h d_k]", "projects token vectors to an erase gate for each feature of the keys"},
         {"b_erase", "[h d_k]", "is added to the erase gates before their sigmoid"},
         {"W_write", "[d, h d_v]", "projects token vectors to a write gate for each feature of the values"},
         {"b_write", "[h d_v]", "is added to the write gates before their sigmoid"}});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.heads * plan.head_query_width(), tokens = plan.tokens.key_width;
        if (state_forgets(plan))
            add_feature_gate_parameters(plan, list);
        list.add_with_bias("W_erase", {tokens, width});
        list.add_with_bias("W_write", {tokens, plan.context_width()});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "gated_delta_2", why_state_is_of_one_sequence);
    };
    component.changes_context = always;
    component.declared_stages = {
        declared_log_gates("× W_alpha,\nsoftplus,\n× −exp(A_log)\n→"),
        declared_cumulative_gates(),
        made_stage(
            "erase_gates", "Erase gates",
            {"b: one for each feature of the key", token_operands(), "× W_erase\n+ b_erase,\nsigmoid\n→"},
            {.lights = "erasing_key", .is_of_keys = true}),
        made_stage(
            "value_gates", "Write gates",
            {"w: one for each feature of the value", token_operands(), "× W_write\n+ b_write,\nsigmoid\n→"},
            {.lights = "gated_value", .is_of_keys = true, .is_share = true}),
        declared_unit_keys(),
        made_stage("erasing_key", "Erasing keys",
                   {"b ∘ k: by what the state is asked", {{"erase_gates"}, {"unit_key_direction", "∘"}}, "="},
                   {.lights = "asked_products", .is_of_keys = true}),
        made_stage("gated_value", "Gated values",
                   {"w ∘ v: what is written", {{"value_gates"}, keys_of("value", "∘")}, "="},
                   {.colours_of = "value", .lights = "output", .is_of_keys = true})};
    append(component.declared_stages, declared_products("unit_key_direction", "erasing_key"));
    append(component.declared_stages, declared_errors("gated_value"));
    component.define = define_gated_delta_2;
    return component;
}

}  // namespace headlight
