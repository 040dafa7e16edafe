#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/dense_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

template <class Real>
void add_softpick_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const double temperature = plan.spec.normalizer.temperature;
    const auto* kernels = &kernels::table<double>(kernels::chosen_level());
    pipeline.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& recorder) {
        to_softpick(row.values, row.size, temperature, *kernels, RowRecord<Real>(recorder, plan, row));
    };
}

Expression define_softpick_weights(DefinedRows& rows) {
    const Expression s = rows.open_scores();
    const Expression largest = rows.let("largest", relu_of(maximum_of_columns(s)), "of the row and 0");
    const Expression above = rows.let("differences", rows.open_only(exp_of(s - largest) - exp_of(-largest)),
                                      "exp(s) − 1, both times exp(−largest)");
    return relu_of(above) / not_zero(rows.let("row_sum", sum_of_columns(absolute_of(above))));
}

}  // namespace

NormalizerComponent declare_normalizers_softpick() {
    NormalizerComponent component;
    component.phrase = "rectified softmax of each row";
    component.meaning =
        "max(0, exp(s) − 1) / sum of |exp(s) − 1|: scores of 0 and below get nothing, so that "
        "no key must serve as a sink (Zuhri et al. 2025)";
    component.stages = [](const Plan&, StageList& list) {
        list.add_column("row_maximum");
        list.add_column("row_sum");
    };
    component.declared_stages = {made_stage(
        "row_maximum", "Row maximum", {},
        {.lights = "weights", .role = StageRole::row, .said = "the largest score of the row, or 0"})};
    component.orders_scores = [](const Plan&) { return true; };
    component.steps = [](const Plan& plan, auto& pipeline) { add_softpick_steps(plan, pipeline); };
    component.define = define_softpick_weights;
    return component;
}

}  // namespace headlight
