#include "core/attention/algorithms/delta_states.h"

namespace headlight {
namespace {

RecurrenceKind delta_kind(const Plan& plan) { return delta_rule_kind(plan, 0); }

}  // namespace

AlgorithmComponent declare_algorithms_delta() {
    AlgorithmComponent component;
    component.meaning =
        "S ← S + β k (v − Sᵀ k)ᵀ, |k| = 1: what a key had written before is taken out first, β = σ(y W_beta "
        "+ b_beta) (Schlag et al. 2021, Yang et al. 2024). Queries keep their length (Qwen3-Next gives them "
        "the length 1 too)";
    add_delta_rule_options(component.options);
    add_delta_rule_names(component.known_parameters);
    component.parameters = add_delta_rule_parameters;
    declare_recurrence<delta_kind>(component);
    component.takes_documents = true;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        StepMemory memory = recurrence_memory(plan, delta_kind(plan), needs, needs.real);
        memory.kept = elements(plan.keys, plan.heads) * needs.real;
        return memory;
    };
    component.steps = [](const Plan& plan, auto& pipeline) {
        const auto raw = raw_strengths(pipeline.operands);
        pipeline.algorithm = [&plan, raw](const auto& task, const Recorder& record) {
            run_recurrence(plan, task, delta_rule(plan, delta_kind(plan), raw, task), record);
        };
    };
    component.define = [](Composer& composer) { return define_delta_rule(composer, ""); };
    component.explain = explain_recurrence;
    return component;
}

}  // namespace headlight
