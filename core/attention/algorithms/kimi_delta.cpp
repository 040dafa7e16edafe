#include "core/attention/algorithms/delta_rule.h"

namespace headlight {
namespace {

RecurrenceKind kind(const Plan& plan) { return delta_rule_kind(plan, plan.head_query_width()); }

}  // namespace

AlgorithmComponent declare_algorithms_kimi_delta() {
    AlgorithmComponent component;
    component.type = AlgorithmType::kimi_delta;
    component.word = "kimi_delta";
    component.meaning =
        "S ← diag(α) S, then S ← S + β k (v − Sᵀ k)ᵀ with α = exp(−exp(A_log) softplus(y W_alpha + "
        "b_alpha)): a gate for each feature (Kimi Team 2025)";
    component.options = {
        {.name = "forgets",
         .label = "Forgets",
         .standard = true,
         .help = "Whether the gates act; without them nothing fades but what is overwritten."}};
    add_delta_rule_options(component.options);
    component.known_parameters = {
        {"W_alpha",
         {},
         "[d, h d_k]: projects the keys’ token vectors to a gate for each feature of each head"},
        {"b_alpha", {}, "[h d_k]: is added to the gates before they are squeezed between 0 and 1"},
        {"A_log", {}, "[h]: logarithm of the rate at which each head forgets"}};
    add_delta_rule_names(component.known_parameters);
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.heads * plan.head_query_width();
        add_delta_rule_parameters(plan, list);
        list.add("W_alpha", {plan.tokens.key_width, width},
                 "projects token vectors to a gate for each feature");
        list.add("b_alpha", {width}, "is added to the gates before their softplus", 0.0);
        list.add("A_log", {plan.heads}, "logarithm of the rate at which each head forgets", 0.0);
    };
    component.stages = [](const Plan& plan, StageList& list) {
        add_recurrence_stages(plan, list, kind(plan));
    };
    component.steps = [](const Plan& plan, auto& journey) {
        auto& operands = journey.operands;
        const auto raw = raw_strengths(plan, operands);
        const auto steps = operands.projected(operands.key_tokens(), plan.keys, "W_alpha", "b_alpha");
        journey.algorithm = [&plan, raw, steps, rates = operands.vector("A_log")](const auto& task,
                                                                                  const Recorder& record) {
            using Real = std::remove_pointer_t<decltype(task.context)>;
            auto mixer = delta_rule(plan, kind(plan), raw, task);
            const Index width = plan.head_query_width();
            const bool forgets = option<bool>(plan.spec.algorithm.options, "forgets");
            const double rate = forgets ? std::exp(static_cast<double>(rates[task.head])) : 0;
            mixer.log_gate = [=, head = task.head](Index key, Real* out) {
                const Real* step = steps.data + key * steps.stride + head * width;
                for (Index c = 0; c < width; ++c)
                    out[c] = static_cast<Real>(-rate * softplus(static_cast<double>(step[c])));
            };
            run_recurrence(plan, task, mixer, record);
        };
    };
    component.cost = [](const Plan& plan) { return recurrence_cost(plan, kind(plan)); };
    component.explain = explain_recurrence;
    return component;
}

}  // namespace headlight
