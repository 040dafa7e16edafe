#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"
#include "core/attention/normalizers/sparse_rows.h"

namespace headlight {
namespace {

template <class Real>
void add_normmax_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const double alpha = plan.normalizer().number("alpha");
    const auto* kernels = &kernels_of(pipeline);
    pipeline.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& record) {
        to_normmax(row.values, row.size, alpha, plan.spec.normalizer.temperature, *kernels,
                   RowRecord<Real>(record, plan, row));
    };
}

Expression define_normmax_weights(DefinedRows& rows) {
    const Expression z = rows.below_largest();
    const double alpha = rows.number("alpha");
    const auto powers = [&](const Expression& tau, double power) {
        return power_of(relu_of(z - tau), power);
    };
    const Expression zero = rows.zero_column();
    const Expression tau = rows.bisected(zero - 1, zero, 1, [&](const Expression& middle) {
        return sum_of_columns(powers(middle, alpha / (alpha - 1)));
    });
    const Expression raw =
        rows.let("powers", powers(tau, 1 / (alpha - 1)), "[s − τ]₊ to the power 1 / (α − 1)");
    return rows.divided(raw, rows.let("row_sum", sum_of_columns(raw)));
}

}  // namespace

NormalizerComponent declare_normalizers_normmax() {
    NormalizerComponent component;
    component.phrase = "normmax of each row";
    component.meaning =
        "the distribution p that maximises p · s − ‖p‖_α: sparse as entmax, but it spreads over "
        "several keys more evenly (Blondel, Martins and Niculae 2020)";
    component.options = {
        number_option("alpha", "Alpha α", 2.0, {1.1, 10},
                      "The norm that is taken off; the larger, the more alike the weights that are not 0.")};
    component.stages = [](const Plan&, StageList& list) { list.add_column("threshold"); };
    component.declared_stages = {
        made_stage("threshold", "Threshold", {},
                   {.said = "what all scores of the row must lose so that the powers of the rest sum to 1"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_normmax_steps(plan, pipeline); };
    component.define = define_normmax_weights;
    return component;
}

}  // namespace headlight
