#include "core/attention/algorithms/step_sizes.h"
#include "core/attention/recurrence.h"

#include <cmath>

namespace headlight {
namespace {

bool discretizes(const Plan& plan) { return plan.algorithm().flag("discretize"); }

RecurrenceKind state_space_kind(const Plan& plan) {
    return {.features = plan.head_query_width(),
            .gates = 1,
            .projected = plan.heads,
            .has_strength = discretizes(plan),
            .chunk = chunk_of(plan)};
}

template <class Real>
void run_state_space(const Plan& plan, MatrixView<const Real> raw_steps, const Real* rates,
                     const HeadTask<Real>& task, const Recorder& record) {
    const bool forgets = plan.algorithm().flag("forgets");
    const double rate = forgets ? std::exp(static_cast<double>(rates[task.head])) : 0;
    const auto step = [=, head = task.head](Index key) {
        return softplus(static_cast<double>(raw_steps.row(key)[head]));
    };
    Recurrence<Real> mixer{state_space_kind(plan)};
    mixer.query = plain_features<Real>(task.query, query_scale(plan));
    mixer.key = plain_features<Real>(task.key);
    mixer.log_gate = [=](Index key, Real* out) { *out = static_cast<Real>(-step(key) * rate); };
    mixer.strength = [=](Index key) { return static_cast<Real>(step(key)); };
    run_recurrence(plan, task, mixer, record);
}

Expression define_state_space(Composer& composer) {
    const Options& options = composer.plan.algorithm();
    const Expression steps =
        composer.let(discretizes(composer.plan) ? "write_strengths" : "step_sizes",
                     of_seen_keys(composer, step_sizes(composer)), "softplus(y W_dt + b_dt)");
    std::optional<Expression> log_gates;
    if (options.flag("forgets"))
        log_gates = composer.let("log_gates", -exp_of(composer.parameter_of_heads("A_log")) * steps);
    const Expression keys = discretizes(composer.plan)
                                ? composer.let("stepped_key", composer.key * steps, "keys times their steps")
                                : composer.key;
    return write_gated_products(composer, log_gates, keys);
}

}  // namespace

AlgorithmComponent declare_algorithms_state_space() {
    AlgorithmComponent component;
    component.meaning =
        "S ← exp(−Δ exp(A_log)) S + Δ kᵀ v, Δ = softplus(y W_dt + b_dt) from the key’s token: the "
        "state space of Mamba-2 as masked attention, L ∘ (C Bᵀ) (Dao and Gu 2024)";
    component.options = {flag_option("discretize", "Step writes", true,
                                     "Whether the step Δ also multiplies what is written, as in Mamba-2."),
                         flag_option("forgets", "Forgets", true,
                                     "Whether the gates act; without them nothing that was written fades."),
                         scaled_option(false)};
    append(component.options, form_options());
    add_step_names(component.known_parameters);
    add_rate_name(component.known_parameters);
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_step_parameters(plan, list);
        add_rate_parameter(plan, list);
    };
    declare_recurrence<state_space_kind>(component);
    component.takes_any_mask = true;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        StepMemory memory = recurrence_memory(plan, state_space_kind(plan), needs, needs.real);
        memory.kept = elements(plan.keys, plan.heads) * needs.real;
        return memory;
    };
    component.steps = [](const Plan& plan, auto& pipeline) {
        auto& operands = pipeline.operands;
        const auto raw = operands.projected(operands.key_tokens(), "W_dt", "b_dt");
        pipeline.algorithm = [&plan, raw, rates = operands.vector("A_log")](const auto& task,
                                                                            const Recorder& record) {
            run_state_space(plan, raw, rates, task, record);
        };
    };
    component.define = define_state_space;
    component.explain = explain_recurrence;
    return component;
}

}  // namespace headlight
