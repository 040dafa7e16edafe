#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"
#include "core/attention/normalizers/sparse_rows.h"

namespace headlight {
namespace {

template <class Real>
void add_sparsemax_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const double temperature = plan.spec.normalizer.temperature;
    const auto* kernels = &kernels_of(pipeline);
    pipeline.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& recorder) {
        to_sparsemax(row.values, row.size, temperature, *kernels, RowRecord<Real>(recorder, plan, row));
    };
}

Expression define_sparsemax_weights(DefinedRows& rows) { return rows.sparsemax(rows.below_largest()); }

}  // namespace

NormalizerComponent declare_normalizers_sparsemax() {
    NormalizerComponent component;
    component.phrase = "sparsemax of each row";
    component.meaning =
        "max(0, s − τ), τ such that the row sums to 1: the nearest point of the simplex, with exact "
        "zeros (Martins and Astudillo 2016)";
    component.stages = [](const Plan&, StageList& list) { list.add_column("threshold"); };
    component.declared_stages = {made_stage(
        "threshold", "Threshold", {},
        {.said =
             "what all scores of the row must lose so that the rest, negative numbers cut off, sums to 1"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_sparsemax_steps(plan, pipeline); };
    component.define = define_sparsemax_weights;
    return component;
}

}  // namespace headlight
