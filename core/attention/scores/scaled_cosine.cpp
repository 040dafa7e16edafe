#include "core/attention/scores/cosine.h"
#include "core/attention/scores/defined_scores.h"
#include "core/attention/work.h"

#include <cmath>

namespace headlight {
namespace {

/// exp(log_tau), at most 100.
double sharpness(const Plan& plan, Index head) {
    return std::exp(std::min(plan.parameter("log_tau")[head], std::log(100.0)));
}

template <class Real>
void add_scaled_cosine_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    compare_directions(plan, pipeline);
    pipeline.after_scale.push_back([&plan](const ScoreRow<Real>& row, const Recorder&) {
        const Real factor = static_cast<Real>(sharpness(plan, row.head));
        for (Index key = 0; key < row.size; ++key)
            row.values[key] *= factor;
    });
}

}  // namespace

ScoreComponent declare_scores_scaled_cosine() {
    ScoreComponent component;
    component.meaning = "exp(min(log_tau_h, ln 100)) q · k / (|q| |k|), a learned sharpness for each head "
                        "(Liu et al. 2022, Swin Transformer V2, equation 2)";
    component.known_parameters = {
        {"log_tau", "[h]", "logarithm of what each head multiplies its cosines by; at most ln 100 counts"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("log_tau", {plan.heads}, std::log(10.0));
    };
    component.multiply_adds = [](const Plan& plan) {
        return work_of_pairs(plan, plan.head_query_width()) + work_of_tokens(plan, plan.head_query_width());
    };
    component.memory = directions_memory;
    component.steps = [](const Plan& plan, auto& pipeline) { add_scaled_cosine_steps(plan, pipeline); };
    component.define = define_cosines;
    component.define_scale = [](Composer& composer) {
        return composer.let("sharpness", smaller_of(exp_of(composer.parameter_of_heads("log_tau")), 100),
                            "of each head, at most 100");
    };
    return component;
}

}  // namespace headlight
