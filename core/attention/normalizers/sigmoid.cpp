#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/dense_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

template <class Real>
void add_sigmoid_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const double given = plan.normalizer().number("bias");
    const auto* kernels = &kernels_of(pipeline);
    pipeline.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& record) {
        const Real bias = static_cast<Real>(
            given == automatic_bias ? bias_for(count_allowed(row.values, row.size)) : given);
        RowRecord<Real>(record, plan, row).number("row_bias", static_cast<double>(bias));
        to_biased_sigmoid(row.values, row.size, static_cast<Real>(plan.spec.normalizer.temperature), bias,
                          *kernels);
    };
}

Expression define_sigmoid_weights(DefinedRows& rows) {
    const double bias = rows.number("bias");
    const Expression added = bias == automatic_bias ? -log_of(rows.key_counts()) : Expression(bias);
    return rows.open_only(sigmoid_of(rows.open_scores() + added));
}

}  // namespace

NormalizerComponent declare_normalizers_sigmoid() {
    NormalizerComponent component;
    component.phrase = "sigmoid of each score";
    component.meaning =
        "1 / (1 + exp(−(s + b))): every pair by itself, keys do not compete (Ramapuram et al. 2025)";
    component.options = {number_option("bias", "Bias b", automatic_bias, {automatic_bias, 100},
                                       "Is added to every score. Automatic: −ln(n) for n allowed keys, so "
                                       "that a row of zero scores sums to nearly 1.",
                                       "automatic")};
    component.stages = [](const Plan&, StageList& list) { list.add_column("row_bias"); };
    component.declared_stages = {made_stage("row_bias", "Bias of the row", {},
                                            {.said = "−ln(number of allowed keys), unless it is set"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_sigmoid_steps(plan, pipeline); };
    component.define = define_sigmoid_weights;
    return component;
}

}  // namespace headlight
