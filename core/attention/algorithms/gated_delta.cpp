#include "core/attention/algorithms/delta_states.h"

namespace headlight {
namespace {

RecurrenceKind gated_delta_kind(const Plan& plan) { return delta_rule_kind(plan, 1); }

}  // namespace

AlgorithmComponent declare_algorithms_gated_delta() {
    AlgorithmComponent component;
    component.meaning =
        "S ← α S, then S ← S + β k (v − Sᵀ k)ᵀ with α = exp(−exp(A_log) softplus(y W_dt + b_dt)) for "
        "each head (Yang et al. 2025). |k| = 1; queries keep their length (Qwen3-Next gives them the length "
        "1 too)";
    component.options = {forgets_option()};
    add_delta_rule_options(component.options);
    component.known_parameters = head_gate_names();
    add_delta_rule_names(component.known_parameters);
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_delta_rule_parameters(plan, list);
        add_head_gate_parameters(plan, list);
    };
    declare_recurrence<gated_delta_kind>(component);
    component.takes_documents = true;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return gated_delta_rule_memory(plan, gated_delta_kind(plan), needs);
    };
    component.steps = [](const Plan& plan, auto& pipeline) {
        add_gated_delta_rule(plan, pipeline, gated_delta_kind(plan), "W_dt", "b_dt");
    };
    component.define = [](Composer& composer) { return define_delta_rule(composer, "dt"); };
    component.explain = explain_recurrence;
    return component;
}

}  // namespace headlight
