#include "core/attention/algorithms/delta_states.h"

namespace headlight {
namespace {

RecurrenceKind kimi_delta_kind(const Plan& plan) { return delta_rule_kind(plan, plan.head_query_width()); }

}  // namespace

AlgorithmComponent declare_algorithms_kimi_delta() {
    AlgorithmComponent component;
    component.meaning =
        "S ← diag(α) S, then S ← S + β k (v − Sᵀ k)ᵀ with α = exp(−exp(A_log) softplus(y W_alpha + "
        "b_alpha)): a gate for each feature (Kimi Team 2025). |k| = 1; queries keep their length";
    component.options = {forgets_option()};
    add_delta_rule_options(component.options);
    component.known_parameters = feature_gate_names();
    add_delta_rule_names(component.known_parameters);
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_delta_rule_parameters(plan, list);
        add_feature_gate_parameters(plan, list);
    };
    declare_recurrence<kimi_delta_kind>(component);
    component.takes_documents = true;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return gated_delta_rule_memory(plan, kimi_delta_kind(plan), needs);
    };
    component.steps = [](const Plan& plan, auto& pipeline) {
        add_gated_delta_rule(plan, pipeline, kimi_delta_kind(plan), "W_alpha", "b_alpha");
    };
    component.define = [](Composer& composer) { return define_delta_rule(composer, "alpha"); };
    component.explain = explain_recurrence;
    return component;
}

}  // namespace headlight
