#include "core/attention/algorithms/delta_rule.h"

namespace headlight {

AlgorithmComponent declare_algorithms_gated_delta() {
    AlgorithmComponent component;
    component.type = AlgorithmType::gated_delta;
    component.word = "gated_delta";
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
    component.stages = [](const Plan& plan, StageList& list) {
        add_recurrence_stages(plan, list, delta_rule_kind(plan, 1));
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return gated_delta_rule_memory(plan, delta_rule_kind(plan, 1), needs);
    };
    component.declared_stages = declared_recurrence_stages();
    component.steps = [](const Plan& plan, auto& pipeline) {
        add_gated_delta_rule(plan, pipeline, delta_rule_kind(plan, 1), "W_dt", "b_dt");
    };
    component.cost = [](const Plan& plan) { return recurrence_cost(plan, delta_rule_kind(plan, 1)); };
    component.define = [](Composer& composer) { return define_delta_rule(composer, "dt"); };
    component.explain = explain_recurrence;
    return component;
}

}  // namespace headlight
