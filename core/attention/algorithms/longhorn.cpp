#include "core/attention/algorithms/delta_states.h"

namespace headlight {
namespace {

bool erases_feature_by_feature(const Plan& plan) { return plan.algorithm().word("erasure") == "diagonal"; }

/// √ε k, shorter than 1 however long the key is, and √ε, ε = β / (1 + β |k|²).
struct ImplicitKeys {
    Expression vectors, roots;
};

ImplicitKeys write_implicit_keys(Composer& composer) {
    const Expression strengths = write_strengths_of_tokens(composer);
    // Over its largest number no square of a key overflows.
    const Expression largest =
        composer.let("largest_of_key", larger_of(maximum_of_columns(absolute_of(composer.key)), 1),
                     "the largest number of each key, at least 1");
    const Expression over_largest = composer.let("key_over_largest", composer.key / largest);
    const Expression length =
        composer.let("implicit_length",
                     not_zero(root_of((1 / largest) * (1 / largest) +
                                      strengths * sum_of_columns(over_largest * over_largest))),
                     "√(1 + β |k|²), over the largest number");
    const Expression shares = composer.let("implicit_shares", root_of(strengths) / length, "√ε of that key");
    return {composer.let("implicit_key", shares * over_largest, "√ε k, of a length below 1"),
            composer.let("implicit_roots", shares / largest, "√ε")};
}

Expression define_longhorn(Composer& composer) {
    const ImplicitKeys keys = write_implicit_keys(composer);
    composer.let("implicit_steps", keys.roots * keys.roots, "ε = β / (1 + β |k|²)");
    if (erases_feature_by_feature(composer.plan)) {
        const Expression decays = composer.let("log_decay", log_of_more(-(keys.vectors * keys.vectors)),
                                               "ln(1 − ε k ∘ k): what is left");
        const Expression read = write_read_products(composer, "read_products", composer.query, keys.vectors,
                                                    write_state_gates(composer, decays));
        return write_attended_values(composer, composer.let("weights", read * transposed(keys.roots),
                                                            "what each query gives to each key"));
    }
    const Expression read =
        write_read_products(composer, "read_products", composer.query, keys.vectors, std::nullopt);
    const Expression asked =
        write_asked_products(composer, "asked_products", keys.vectors, keys.vectors, std::nullopt);
    const Expression inverse = write_inverse_of_asked(composer, asked);
    const Expression of_values = composer.let("inverse_of_values", inverse * transposed(keys.roots),
                                              "what each error, times √ε, has of each value");
    return write_inverse_of_values(composer, read, of_values, composer.value);
}

}  // namespace

AlgorithmComponent declare_algorithms_longhorn() {
    AlgorithmComponent component;
    component.meaning =
        "S ← S + ε k (v − Sᵀ k)ᵀ, ε = β / (1 + β |k|²), β = σ(y W_beta + b_beta): the S that is nearest to "
        "the one before and to Sᵀ k = v, a delta rule by an implicit step, for keys of any length; causal "
        "whatever the mask (Liu et al. 2025)";
    component.options = {
        word_option("erasure", "Erases", {"full", "diagonal"},
                    "Whether what the key finds is taken out along the key, or, as in the authors’ model, "
                    "each feature of the state fades by ε k², of itself alone."),
        scaled_option(false)};
    add_delta_rule_names(component.known_parameters);
    component.parameters = add_delta_rule_parameters;
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "longhorn", why_state_is_of_one_sequence);
    };
    component.declared_stages = {
        declared_strengths(),
        made_stage("implicit_steps", "Implicit steps",
                   {"ε = β / (1 + β |k|²)", {{"write_strengths"}, keys_of("key", "and")}},
                   {.lights = "implicit_key", .is_of_keys = true}),
        made_stage("implicit_key", "Keys of the step",
                   {"√ε k, of a length below 1", {{"key"}, {"implicit_steps", "and"}}, "× √ε\n→"},
                   {.lights = "read_products", .is_of_keys = true}),
        made_stage("log_decay", "Log decays",
                   {"ln(1 − ε k ∘ k): what is left of each feature after this token",
                    {{"implicit_key"}},
                    "ln(1 − square)\n→"},
                   {.lights = "read_products", .is_of_keys = true}),
        declared_cumulative_gates("log_decay")};
    append(component.declared_stages, declared_products("implicit_key", "implicit_key"));
    append(component.declared_stages, {made_stage("inverse_of_values", "Inverse for the values",
                                                  {"√ε times the inverse: what each error has of each value",
                                                   {{"inverse"}, {"implicit_steps", "and"}},
                                                   "× √ε\n→"},
                                                  {.lights = "weights"})});
    append(component.declared_stages, declared_errors("value", "inverse_of_values"));
    component.define = define_longhorn;
    return component;
}

}  // namespace headlight
