#include "core/attention/composer.h"
#include "core/attention/scores/elementwise.h"
#include "core/attention/work.h"

namespace headlight {
namespace {

Expression define_elementwise_additive_scores(Composer& composer) {
    return sum_of_pairs(
        composer.parameter("v") *
        activated(composer.plan.spec.score.activation, left_row(composer.query) + right_row(composer.key)));
}

}  // namespace

ScoreComponent declare_scores_elementwise_additive() {
    ScoreComponent component;
    component.meaning = "v · act(q + k), query and key added feature by feature without matrices (the "
                        "AdditiveAttention layer of Keras, whose scale is v)";
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("v", {plan.head_key_width()});
    };
    component.has_activation = true;
    component.attention_width = [](const Plan& plan) { return plan.head_key_width(); };
    component.multiply_adds = [](const Plan& plan) { return work_of_pairs(plan, plan.attention_width); };
    component.memory = energy_rows_memory;
    component.steps = [](const Plan& plan, auto& pipeline) {
        using Real = std::remove_cvref_t<decltype(*pipeline.operands.vector("v"))>;
        score_sums<Real>(plan, pipeline, Real(1), pipeline.operands.vector("v"));
    };
    component.define = define_elementwise_additive_scores;
    return component;
}

}  // namespace headlight
