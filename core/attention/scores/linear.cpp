#include "core/attention/scores/defined_scores.h"
#include "core/attention/scores/linear_parts.h"
#include "core/attention/work.h"

namespace headlight {
namespace {

template <class Real>
void add_linear_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const auto parts = std::make_shared<LinearParts<Real>>(plan, pipeline.operands);
    pipeline.prepare.push_back([parts](Index head, const Recorder&) { parts->fill(head); });
    pipeline.score = [parts](const ScoreRow<Real>& row, const Recorder&) {
        const Real of_query = parts->of_query(row);
        const Real* of_keys = parts->of_keys(row);
        for (Index key = 0; key < row.size; ++key)
            row.values[key] = of_query + of_keys[key];
    };
}

}  // namespace

ScoreComponent declare_scores_linear() {
    ScoreComponent component;
    component.meaning = "w · [q; k] + b: query and key each add a number, so that every query prefers the "
                        "same keys (AllenNLP’s linear attention; b with \"bias\")";
    component.compares_widths = false;
    component.known_parameters = {pair_weights_name(), score_bias_name()};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_linear_parameters(plan, list, plan.head_query_width() + plan.head_key_width());
    };
    component.multiply_adds = [](const Plan& plan) { return work_of_tokens(plan, plan.head_query_width()); };
    component.steps = [](const Plan& plan, auto& pipeline) { add_linear_steps(plan, pipeline); };
    component.define = define_linear_sum;
    return component;
}

}  // namespace headlight
