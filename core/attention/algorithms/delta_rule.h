#pragma once

#include "core/attention/algorithms/step_sizes.h"
#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/recurrence.h"
#include "core/attention/vector_length.h"
#include "core/kernels/arithmetic.h"

#include <algorithm>
#include <cmath>

namespace headlight {

// What the mixers with the delta rule share: keys of length 1, and a write strength for each key and head.

inline RecurrenceKind delta_rule_kind(const Plan& plan, Index gates) {
    return {.features = plan.head_query_width(),
            .gates = gates,
            .projected = plan.heads * (1 + gates),
            .has_strength = true,
            .is_delta = true,
            .shows_features = true,
            .chunk = chunk_of(plan)};
}

/// x / |x|: with longer keys the erasure I - w k k^T would not shrink.
template <class Real>
auto unit_features(MatrixView<const Real> rows) {
    return [=](Index token, Real* out) { write_direction(rows.row(token), rows.columns, out); };
}

/// Everything but the gates. `raw_strengths` are the keys' tokens times W_beta, plus b_beta: [m, h].
template <class Real>
Recurrence<Real> delta_rule(const Plan& plan, const RecurrenceKind& kind,
                            MatrixView<const Real> raw_strengths, const HeadTask<Real>& task) {
    const double largest = plan.algorithm().flag("overshoot") ? 2 : 1;
    Recurrence<Real> mixer{kind};
    mixer.query = plain_features<Real>(task.query, query_scale(plan));
    mixer.key = unit_features(task.key);
    mixer.strength = [=, head = task.head](Index key) {
        const Real raw = raw_strengths.row(key)[head];
        return static_cast<Real>(largest * sigmoid(static_cast<double>(raw)));
    };
    return mixer;
}

template <class Real>
MatrixView<const Real> raw_strengths(Operands<Real>& operands) {
    return operands.projected(operands.key_tokens(), "W_beta", "b_beta");
}

/// With gates alpha = exp(-exp(A_log) softplus(y W + b)), one or one for each feature of a head, as `kind`
/// says. `weight` and `bias` name W [d, h gates] and b.
template <class Real>
void add_gated_delta_rule(const Plan& plan, Pipeline<Real>& pipeline, const RecurrenceKind& kind,
                          const std::string& weight, const std::string& bias) {
    auto& operands = pipeline.operands;
    const auto raw = raw_strengths(operands);
    const auto steps = operands.projected(operands.key_tokens(), weight, bias);
    pipeline.algorithm = [&plan, kind, raw, steps, rates = operands.vector("A_log")](
                             const HeadTask<Real>& task, const Recorder& record) {
        auto mixer = delta_rule(plan, kind, raw, task);
        const bool forgets = plan.algorithm().flag("forgets");
        const double rate = forgets ? std::exp(static_cast<double>(rates[task.head])) : 0;
        mixer.log_gate = [=, &by = kernels::chosen_arithmetic<Real>(), gates = kind.gates,
                          head = task.head](Index key, Real* out) {
            const Real* step = steps.row(key) + head * gates;
            std::transform(step, step + gates, out, std::negate());
            by.log_sigmoid(out, gates, out);  // -softplus(step)
            for (Index c = 0; c < gates; ++c)
                out[c] = static_cast<Real>(rate * static_cast<double>(out[c]));
        };
        run_recurrence(plan, task, mixer, record);
    };
}

/// -exp(A_log) softplus(y W + b), [h, m, 1] or [h, m, d]; nothing where the state forgets nothing.
inline std::optional<Expression> log_forget_gates(Composer& composer, const std::string& suffix) {
    if (!composer.plan.algorithm().flag("forgets"))
        return {};
    return -exp_of(composer.parameter_of_heads("A_log")) * softplus_of(numbers_of_tokens(composer, suffix));
}

/// With its write strengths and its gates of all keys.
inline StepMemory gated_delta_rule_memory(const Plan& plan, const RecurrenceKind& kind,
                                          const RunNeeds& needs) {
    StepMemory memory = recurrence_memory(plan, kind, needs, needs.real);
    memory.kept = elements(plan.keys, plan.heads, 1 + kind.gates) * needs.real;
    return memory;
}

inline Option forgets_option() {
    return flag_option("forgets", "Forgets", true,
                       "Whether the gates act; without them nothing fades but what is overwritten.");
}

// One gate for each head, or one for each feature of a head; all with A_log.
inline std::vector<KnownParameter> head_gate_names() {
    std::vector<KnownParameter> names;
    add_step_names(names);
    add_rate_name(names);
    return names;
}
inline void add_head_gate_parameters(const Plan& plan, ParameterList& list) {
    add_step_parameters(plan, list);
    add_rate_parameter(plan, list);
}
inline std::vector<KnownParameter> feature_gate_names() {
    std::vector<KnownParameter> names{
        {"W_alpha", "[d, h d_k]", "projects the keys’ token vectors to a gate for each feature of each head"},
        {"b_alpha", "[h d_k]", "is added to the gates before their softplus"}};
    add_rate_name(names);
    return names;
}
inline void add_feature_gate_parameters(const Plan& plan, ParameterList& list) {
    const Index width = plan.heads * plan.head_query_width();
    list.add_with_bias("W_alpha", {plan.tokens.key_width, width});
    add_rate_parameter(plan, list);
}

inline void add_delta_rule_options(std::vector<Option>& options) {
    append(options,
           {flag_option("overshoot", "Overshoot", false,
                        "Doubles every write strength: above 1, a write more than undoes what was there."),
            scaled_option(true)});
    append(options, form_options());
}

inline void add_delta_rule_names(std::vector<KnownParameter>& known) {
    append(known, {{"W_beta", "[d, h]", "projects the keys’ token vectors to a write strength for each head"},
                   {"b_beta", "[h]", "is added to the write strengths before their sigmoid"}});
}

inline void add_delta_rule_parameters(const Plan& plan, ParameterList& list) {
    list.add_with_bias("W_beta", {plan.tokens.key_width, plan.heads});
}

}  // namespace headlight
