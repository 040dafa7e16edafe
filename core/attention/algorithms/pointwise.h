#pragma once

#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {

// What mechanisms share that weigh each pair by itself, divide by a length and open what comes out by a gate
// of the query's token.

inline Expression through_silu(const Expression& x) { return x * sigmoid_of(x); }

inline Option length_of_pairs_option(const std::string& what) {
    return count_option(
        "length", "Length n", 0, {0, 65536},
        "What every " + what +
            " is divided by: the number of keys, or one number that is the same for texts of any length.",
        "the number of keys");
}

/// n of the formula.
inline double divisor_of_pairs(const Plan& plan) {
    const Index length = plan.algorithm().count("length");
    return static_cast<double>(length > 0 ? length : plan.keys);
}

/// silu(x W_u) [h, n, d_v], as `output_gate`.
inline Expression write_output_gate(Composer& composer) {
    const Expression u = composer.let("gate_input", composer.projected_by_heads(composer.query_tokens, "W_u"),
                                      "what the gate is made of");
    return composer.let("output_gate", through_silu(u), "what each feature is multiplied by");
}

inline KnownParameter output_gate_name() {
    return {"W_u", "[d_q, h d_v]", "projects a token vector to what opens its output"};
}
inline void add_output_gate_parameter(const Plan& plan, ParameterList& list) {
    list.add("W_u", {plan.tokens.query_width, plan.context_width()});
}

inline DeclaredStage declared_activated_value() {
    return made_stage("activated_value", "Values through SiLU", {},
                      {.form_of = "value", .lights = "value", .is_of_keys = true});
}

/// Those of write_output_gate(), and the context that it makes of the stage `opened`.
inline std::vector<DeclaredStage> declared_output_gate(const std::string& opened) {
    return {made_stage("gate_input", "Gate before SiLU", {"", token_operands(), "× W_u\n→"},
                       {.lights = "output_gate"}),
            made_stage("output_gate", "Gate of the output",
                       {"silu of what the token makes of itself", {{"gate_input"}}, "silu\n→"},
                       {.lights = "output"}),
            declared_own_context_stage({"", {{opened}, {"output_gate", "∘"}}, "="})};
}

}  // namespace headlight
