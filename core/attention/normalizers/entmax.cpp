#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"
#include "core/attention/normalizers/sparse_rows.h"

namespace headlight {
namespace {

template <class Real>
void add_entmax_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const double alpha = plan.normalizer().number("alpha");
    const double temperature = plan.spec.normalizer.temperature;
    const auto* kernels = &kernels_of(pipeline);
    pipeline.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& recorder) {
        const RowRecord<Real> record(recorder, plan, row);
        if (alpha == 1)  // the limit
            softmax_row(row.values, row.size, *kernels, record, static_cast<Real>(temperature));
        else
            to_entmax(row.values, row.size, alpha, temperature, *kernels, record);
    };
}

Expression define_entmax_weights(DefinedRows& rows) {
    const double alpha = rows.number("alpha");
    if (alpha == 1)
        return rows.softmax();
    const Expression z = rows.below_largest();
    const auto powers = [&](const Expression& theta) {
        const Expression base = relu_of(1 + (alpha - 1) * (z - theta));
        return power_of(base, 1 / (alpha - 1));
    };
    const Expression zero = rows.zero_column();
    const Expression theta =
        rows.bisected(zero, zero + std::log(static_cast<double>(rows.composer.plan.keys)), 1,
                      [&](const Expression& middle) { return sum_of_columns(powers(middle)); });
    const Expression raw =
        rows.let("powers", powers(theta), "[1 + (α − 1)(s − τ)]₊ to the power 1 / (α − 1)");
    return rows.divided(raw, rows.let("row_sum", sum_of_columns(raw)));
}

}  // namespace

NormalizerComponent declare_normalizers_entmax() {
    NormalizerComponent component;
    component.phrase = "α-entmax of each row";
    component.meaning =
        "max(0, (α − 1) s − τ)^(1/(α − 1)): softmax at α = 1, sparsemax at α = 2, and all that "
        "lies between (Peters, Niculae and Martins 2019)";
    component.options = {
        number_option("alpha", "Alpha α", 1.5, {1, 4},
                      "How sparse: 1 is softmax, 2 is sparsemax; the larger, the more exact zeros.")};
    component.stages = [](const Plan&, StageList& list) { list.add_column("threshold"); };
    component.declared_stages = {made_stage("threshold", "Threshold", {},
                                            {.said = "what the scores of the row, times α − 1, must lose so "
                                                     "that the row sums to 1; 0 where α is 1"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_entmax_steps(plan, pipeline); };
    component.define = define_entmax_weights;
    return component;
}

}  // namespace headlight
