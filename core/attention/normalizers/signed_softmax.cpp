#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/dense_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

template <class Real>
void add_signed_softmax_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    pipeline.normalize = [&plan, kernels = &kernels_of(pipeline)](const ScoreRow<Real>& row,
                                                                  const Recorder& recorder) {
        to_signed_softmax(row.values, row.size, static_cast<Real>(plan.spec.normalizer.temperature), *kernels,
                          RowRecord<Real>(recorder, plan, row));
    };
}

Expression define_signed_softmax_weights(DefinedRows& rows) {
    const Expression sign =
        rows.let("signs", choose(is_above(0, rows.open_only(rows.scores)), -1, 1), "the sign of each score");
    const Expression size = absolute_of(rows.open_only(rows.scores));
    rows.scores = rows.let("sizes", rows.open_or_forbidden(size), "the size of each score");
    return sign * rows.softmax();
}

}  // namespace

NormalizerComponent declare_normalizers_signed_softmax() {
    NormalizerComponent component;
    component.phrase = "softmax of sizes, signs kept";
    component.meaning = "sign(s) softmax(|s|): a strongly negative score takes its value away; absolute "
                        "weights sum to 1 (Lv et al. 2024, Cog attention)";
    component.stages = [](const Plan&, StageList& list) { add_softmax_stages(list); };
    component.gives_shares = false;
    component.orders_scores = [](const Plan&) { return true; };
    component.steps = [](const Plan& plan, auto& pipeline) { add_signed_softmax_steps(plan, pipeline); };
    component.define = define_signed_softmax_weights;
    return component;
}

}  // namespace headlight
