#include "core/attention/defined_algorithms.h"
#include "core/attention/recurrence.h"
#include "core/kernels/arithmetic.h"

#include <algorithm>

namespace headlight {
namespace {

RecurrenceKind gated_linear_kind(const Plan& plan) {
    const Index d = plan.head_query_width();
    return {.features = d, .gates = d, .projected = plan.heads * d, .chunk = chunk_of(plan)};
}

template <class Real>
void run_gated_linear(const Plan& plan, MatrixView<const Real> raw_gates, const HeadTask<Real>& task,
                      const Recorder& record) {
    const Index width = plan.head_query_width();
    const bool forgets = plan.algorithm().flag("forgets");
    const double temperature = plan.algorithm().number("temperature");
    Recurrence<Real> mixer{gated_linear_kind(plan)};
    mixer.query = plain_features<Real>(task.query, query_scale(plan));
    mixer.key = plain_features<Real>(task.key);
    mixer.log_gate = [=, &by = kernels::chosen_arithmetic<Real>(), head = task.head](Index key, Real* out) {
        if (!forgets) {
            std::fill_n(out, width, Real(0));
            return;
        }
        by.log_sigmoid(raw_gates.row(key) + head * width, width, out);
        for (Index c = 0; c < width; ++c)
            out[c] /= static_cast<Real>(temperature);
    };
    run_recurrence(plan, task, mixer, record);
}

Expression define_gated_linear(Composer& composer) {
    const Options& options = composer.plan.algorithm();
    if (!options.flag("forgets"))
        return write_gated_products(composer, {}, composer.key);
    const Expression raw =
        composer.let("gate_numbers", composer.projected_by_heads(composer.key_tokens, "W_alpha", "b_alpha"));
    const Expression log_gates =
        composer.let("log_gates", of_seen_keys(composer, log_sigmoid_of(raw) / options.number("temperature")),
                     "ln of what each feature of the state keeps");
    return write_gated_products(composer, log_gates, composer.key);
}

}  // namespace

AlgorithmComponent declare_algorithms_gated_linear() {
    AlgorithmComponent component;
    component.meaning =
        "S ← diag(α) S + kᵀ v, α = σ(y W_alpha + b_alpha)^(1/τ) from the key’s token: every feature "
        "forgets at a pace of its own (Yang et al. 2024)";
    component.options = {number_option("temperature", "Gate temperature τ", 16.0,
                                       logarithmic_range(0.1, 1000),
                                       "The root that is taken of every gate: the larger, the nearer to 1."),
                         flag_option("forgets", "Forgets", true,
                                     "Whether the gates act; without them nothing that was written fades."),
                         scaled_option(true)};
    append(component.options, form_options());
    component.known_parameters = {
        {"W_alpha", "[d, h d_k]", "projects the keys’ token vectors to a gate for each feature of each head"},
        {"b_alpha", "[h d_k]", "is added to the gates before their sigmoid"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.heads * plan.head_query_width();
        list.add_with_bias("W_alpha", {plan.tokens.key_width, width});
    };
    declare_recurrence<gated_linear_kind>(component);
    component.takes_any_mask = true;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        StepMemory memory = recurrence_memory(plan, gated_linear_kind(plan), needs, needs.real);
        memory.kept = elements(plan.keys, plan.heads, plan.head_key_width()) * needs.real;
        return memory;
    };
    component.steps = [](const Plan& plan, auto& pipeline) {
        const auto raw = pipeline.operands.projected(pipeline.operands.key_tokens(), "W_alpha", "b_alpha");
        pipeline.algorithm = [&plan, raw](const auto& task, const Recorder& record) {
            run_gated_linear(plan, raw, task, record);
        };
    };
    component.define = define_gated_linear;
    component.explain = explain_recurrence;
    return component;
}

}  // namespace headlight
