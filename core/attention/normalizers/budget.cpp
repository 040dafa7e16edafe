#include "core/attention/component.h"
#include "core/attention/normalizers/row_arithmetic.h"
#include "core/attention/normalizers/threshold.h"

#include <algorithm>

namespace headlight {
namespace {

/// The threshold at which clip(s - tau, 0, 1) sums to the budget. With no more keys than the budget all
/// are 1.
double threshold(const double* scores, Index size, double budget) {
    double smallest = scores[0], largest = scores[0];
    for (Index key = 0; key < size; ++key) {
        smallest = std::min(smallest, scores[key]);
        largest = std::max(largest, scores[key]);
    }
    if (budget >= static_cast<double>(size))
        return smallest - 1;
    return solve_threshold(smallest - 1, largest, [&](double tau) {
        SumAndSlope at{-budget, 0};
        for (Index key = 0; key < size; ++key) {
            const double share = scores[key] - tau;
            at.sum += std::clamp(share, 0.0, 1.0);
            at.slope -= share > 0 && share < 1 ? 1 : 0;
        }
        return at;
    });
}

template <class Real>
void add_steps(const Plan& plan, Journey<Real>& journey) {
    const double budget = option<double>(plan.spec.normalizer.options, "budget");
    const double temperature = plan.spec.normalizer.temperature;
    const auto* kernels = &kernels_of(journey);
    journey.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& record) {
        double* scores = scratch<double>(row.size);
        Index count = 0;
        const auto offset = static_cast<double>(kernels->maximum(row.values, row.size));
        for (Index key = 0; key < row.size; ++key)
            if (row.values[key] != forbidden<Real>)
                scores[count++] = (static_cast<double>(row.values[key]) - offset) / temperature;
        const double tau = threshold(scores, count, budget);
        RowRecord<Real>(record, plan, row).number("threshold", tau + offset / temperature);
        for (Index key = 0; key < row.size; ++key)
            row.values[key] = static_cast<Real>(
                std::clamp((static_cast<double>(row.values[key]) - offset) / temperature - tau, 0.0, 1.0));
    };
}

std::string explain(const ExplainedCell& cell, std::string_view stage) {
    if (stage == "threshold")
        return "what all scores of the row must lose so that the weights, cut off at 0 and 1, spend the "
               "budget";
    if (!cell.counts(cell.column))
        return forbidden_key;
    return "clip(" + plus(score_over_temperature(cell), -cell.of_row("threshold")) + ", 0, 1)";
}

}  // namespace

NormalizerComponent declare_normalizers_budget() {
    NormalizerComponent component;
    component.type = NormalizerType::budget;
    component.word = "budget";
    component.meaning = "clip(s − τ, 0, 1), τ such that the row sums to B: about B keys may have the full "
                        "weight 1 (Malaviya, Ferreira and Martins 2018)";
    component.options = {{.name = "budget",
                          .label = "Budget B",
                          .standard = 2.0,
                          .minimum = 0.1,
                          .maximum = 100,
                          .logarithmic = true,
                          .help = "What the weights of a row sum to; no weight is above 1."}};
    component.stages = [](const Plan&, StageList& list) { list.add_column("threshold"); };
    component.steps = [](const Plan& plan, auto& journey) { add_steps(plan, journey); };
    component.explain = explain;
    return component;
}

}  // namespace headlight
