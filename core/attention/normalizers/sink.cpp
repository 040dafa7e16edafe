#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"
#include "core/attention/normalizers/sink_rows.h"

namespace headlight {
namespace {

constexpr double learned_logit = -20;  // the smallest: by itself it would be no sink at all

bool sink_is_learned(const Plan& plan) { return plan.normalizer().number("logit") == learned_logit; }

template <class Real>
void add_sink_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const Real given = static_cast<Real>(plan.normalizer().number("logit"));
    const Real* learned = pipeline.operands.vector("b_sink", sink_is_learned(plan));
    const auto* kernels = &kernels_of(pipeline);
    pipeline.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& record) {
        softmax_row(row.values, row.size, *kernels, RowRecord<Real>(record, plan, row),
                    static_cast<Real>(plan.spec.normalizer.temperature), learned ? learned[row.head] : given);
    };
}

Expression define_sink_weights(DefinedRows& rows) {
    return define_with_sink(rows, rows.of_head("logit", learned_logit, "b_sink"));
}

}  // namespace

NormalizerComponent declare_normalizers_sink() {
    NormalizerComponent component;
    component.phrase = "softmax of each row and a sink";
    component.meaning = "softmax([s; b]) without its last weight: each head has a logit b that takes what no "
                        "key deserves (OpenAI 2025, gpt-oss)";
    component.options = {number_option("logit", "Sink logit b", learned_logit, {learned_logit, 100},
                                       "The score of the sink; the higher, the less is left for the keys.",
                                       "learned for each head")};
    component.known_parameters = {{"b_sink", "[h]", "the score of each head’s sink"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (sink_is_learned(plan))
            list.add("b_sink", {plan.heads});
    };
    component.stages = [](const Plan&, StageList& list) {
        add_softmax_stages(list);
        list.add_column("unassigned");
    };
    component.declared_stages = {
        declared_exponentials_beside_sink(),
        made_stage("unassigned", "Weight of no key", {}, {.said = "the weight of the sink"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_sink_steps(plan, pipeline); };
    component.define = define_sink_weights;
    return component;
}

}  // namespace headlight
