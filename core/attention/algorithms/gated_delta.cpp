#include "core/attention/algorithms/delta_rule.h"

namespace headlight {

AlgorithmComponent declare_algorithms_gated_delta() {
    AlgorithmComponent component;
    component.type = AlgorithmType::gated_delta;
    component.word = "gated_delta";
    component.meaning =
        "S ← α S, then S ← S + β k (v − Sᵀ k)ᵀ with α = exp(−exp(A_log) softplus(y W_dt + b_dt)) for "
        "each head (Yang et al. 2025)";
    component.options = {
        {.name = "forgets",
         .label = "Forgets",
         .standard = true,
         .help = "Whether the gates act; without them nothing fades but what is overwritten."}};
    add_delta_rule_options(component.options);
    component.known_parameters = {
        {"W_dt", {}, "[d, h]: projects the keys’ token vectors to a step for each head"},
        {"b_dt", {}, "[h]: is added to the steps before their softplus"},
        {"A_log", {}, "[h]: logarithm of the rate at which each head forgets"}};
    add_delta_rule_names(component.known_parameters);
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_delta_rule_parameters(plan, list);
        list.add("W_dt", {plan.tokens.key_width, plan.heads},
                 "projects token vectors to a step for each head");
        list.add("b_dt", {plan.heads}, "is added to the steps before their softplus", 0.0);
        list.add("A_log", {plan.heads}, "logarithm of the rate at which each head forgets", 0.0);
    };
    component.stages = [](const Plan& plan, StageList& list) {
        add_recurrence_stages(plan, list, delta_rule_kind(plan, 1));
    };
    component.steps = [](const Plan& plan, auto& journey) {
        auto& operands = journey.operands;
        const auto raw = raw_strengths(plan, operands);
        const auto steps = operands.projected(operands.key_tokens(), plan.keys, "W_dt", "b_dt");
        journey.algorithm = [&plan, raw, steps, rates = operands.vector("A_log")](const auto& task,
                                                                                  const Recorder& record) {
            using Real = std::remove_pointer_t<decltype(task.context)>;
            auto mixer = delta_rule(plan, delta_rule_kind(plan, 1), raw, task);
            const bool forgets = option<bool>(plan.spec.algorithm.options, "forgets");
            const double rate = forgets ? std::exp(static_cast<double>(rates[task.head])) : 0;
            mixer.log_gate = [=, head = task.head](Index key, Real* out) {
                *out = static_cast<Real>(
                    -rate * softplus(static_cast<double>(steps.data[key * steps.stride + head])));
            };
            run_recurrence(plan, task, mixer, record);
        };
    };
    component.cost = [](const Plan& plan) { return recurrence_cost(plan, delta_rule_kind(plan, 1)); };
    component.explain = explain_recurrence;
    return component;
}

}  // namespace headlight
