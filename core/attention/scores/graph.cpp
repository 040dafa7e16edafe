#include "core/attention/scores/defined_scores.h"
#include "core/attention/scores/linear_parts.h"
#include "core/attention/work.h"

namespace headlight {
namespace {

double graph_slope(const Plan& plan) { return plan.score().number("slope"); }

template <class Real>
void add_graph_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const auto parts = std::make_shared<LinearParts<Real>>(plan, pipeline.operands);
    pipeline.prepare.push_back([parts](Index head, const Recorder&) { parts->fill(head); });
    pipeline.score = [parts, slope = static_cast<Real>(graph_slope(plan))](const ScoreRow<Real>& row,
                                                                           const Recorder&) {
        const Real of_query = parts->of_query(row);
        const Real* of_keys = parts->of_keys(row);
        for (Index key = 0; key < row.size; ++key) {
            const Real sum = of_query + of_keys[key];
            row.values[key] = sum > 0 ? sum : slope * sum;
        }
    };
}

Expression define_graph_scores(Composer& composer) {
    return leaky_relu_of(composer.let("linear_scores", define_linear_sum(composer), "w · [q; k] + b"),
                         graph_slope(composer.plan));
}

}  // namespace

ScoreComponent declare_scores_graph() {
    ScoreComponent component;
    component.meaning = "LeakyReLU(w · [q; k] + b): as in a graph attention network, where the mask says who "
                        "are neighbours (Veličković et al. 2018, equation 3; b with \"bias\")";
    component.compares_widths = false;
    component.options = {
        number_option("slope", "Slope below zero", 0.2, {0, 1},
                      "What negative sums are multiplied by: 0 cuts them off, 1 leaves the linear score."),
    };
    component.known_parameters = {pair_weights_name(), score_bias_name()};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_linear_parameters(plan, list, plan.head_query_width() + plan.head_key_width());
    };
    component.multiply_adds = [](const Plan& plan) { return work_of_tokens(plan, plan.head_query_width()); };
    component.steps = [](const Plan& plan, auto& pipeline) { add_graph_steps(plan, pipeline); };
    component.define = define_graph_scores;
    return component;
}

}  // namespace headlight
