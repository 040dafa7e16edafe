#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"
#include "core/attention/normalizers/sparse_rows.h"

namespace headlight {
namespace {

template <class Real>
void add_budget_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const double budget = plan.normalizer().number("budget");
    const double temperature = plan.spec.normalizer.temperature;
    const auto* kernels = &kernels_of(pipeline);
    pipeline.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& record) {
        to_budget(row.values, row.size, budget, temperature, *kernels, RowRecord<Real>(record, plan, row));
    };
}

Expression define_budget_weights(DefinedRows& rows) {
    const Expression z = rows.below_largest();
    const double budget = rows.number("budget");
    const auto cut = [&](const Expression& tau) { return smaller_of(relu_of(z - tau), 1); };
    const Expression low = -maximum_of_columns(rows.open_only(-z)) - 1;
    const Expression tau = rows.bisected(low, rows.zero_column(), budget, [&](const Expression& middle) {
        return sum_of_columns(cut(middle));
    });
    return rows.open_only(cut(tau));
}

}  // namespace

NormalizerComponent declare_normalizers_budget() {
    NormalizerComponent component;
    component.phrase = "clip(scores − τ, 0, 1), τ by row";
    component.meaning = "clip(s − τ, 0, 1), τ such that the row sums to B: about B keys may have the full "
                        "weight 1 (Malaviya, Ferreira and Martins 2018)";
    component.options = {number_option("budget", "Budget B", 2.0, logarithmic_range(0.1, 100),
                                       "What the weights of a row sum to; no weight is above 1.")};
    component.stages = [](const Plan&, StageList& list) { list.add_column("threshold"); };
    component.declared_stages = {made_stage("threshold", "Threshold", {},
                                            {.said = "what all scores of the row must lose so that the "
                                                     "weights, cut off at 0 and 1, spend the budget"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_budget_steps(plan, pipeline); };
    component.define = define_budget_weights;
    return component;
}

}  // namespace headlight
