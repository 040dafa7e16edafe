#include "core/attention/component.h"
#include "core/attention/normalizers/row_arithmetic.h"
#include "core/attention/normalizers/threshold.h"

#include <algorithm>

namespace headlight {
namespace {

/// argmax over the simplex of p . s - |p|_alpha. Its conditions give p_j = |p| u_j^(1 / (alpha - 1)) with
/// u = [s - tau]_+, and the norm is one of p when the sum of u^(alpha / (alpha - 1)) is 1: that finds tau.
template <class Real>
void to_normmax(Real* row, Index size, double alpha, double temperature, const RowRecord<Real>& record) {
    double largest = forbidden<double>;
    for (Index key = 0; key < size; ++key)
        largest = std::max(largest, static_cast<double>(row[key]));
    double* scores = scratch<double>(size);
    Index* keys = scratch<Index>(size);
    Index count = 0;
    for (Index key = 0; key < size; ++key)  // no u is above 1
        if (const double below = (static_cast<double>(row[key]) - largest) / temperature; below > -1) {
            scores[count] = below;
            keys[count++] = key;
        }
    const double power = alpha / (alpha - 1);
    const double highest = -std::pow(static_cast<double>(count), -1 / power);
    const double tau = solve_threshold(-1, highest, [&](double at_tau) {
        SumAndSlope at{-1, 0};
        for (Index i = 0; i < count; ++i)
            if (const double u = scores[i] - at_tau; u > 0) {
                const double term = std::pow(u, power);
                at.sum += term;
                at.slope -= power * term / u;
            }
        return at;
    });
    record.number("threshold", tau + largest / temperature);
    double sum = 0;
    for (Index i = 0; i < count; ++i)
        sum += scores[i] = std::pow(std::max(scores[i] - tau, 0.0), 1 / (alpha - 1));
    std::fill(row, row + size, Real(0));
    for (Index i = 0; i < count; ++i)
        row[keys[i]] = static_cast<Real>(scores[i] / sum);
}

template <class Real>
void add_steps(const Plan& plan, Journey<Real>& journey) {
    const double alpha = option<double>(plan.spec.normalizer.options, "alpha");
    journey.normalize = [alpha, &plan](const ScoreRow<Real>& row, const Recorder& record) {
        to_normmax(row.values, row.size, alpha, plan.spec.normalizer.temperature,
                   RowRecord<Real>(record, plan, row));
    };
}

std::string explain(const ExplainedCell& cell, std::string_view stage) {
    if (stage == "threshold")
        return "the τ at which the sum of max(0, s − τ)^(α/(α − 1)) is 1";
    if (!cell.counts(cell.column))
        return forbidden_key;
    const double alpha = option<double>(cell.plan.spec.normalizer.options, "alpha");
    return "max(0, " + plus(score_over_temperature(cell), -cell.of_row("threshold")) + ") to the power of " +
           format_number(1 / (alpha - 1)) + ", divided by the sum of the row";
}

}  // namespace

NormalizerComponent declare_normalizers_normmax() {
    NormalizerComponent component;
    component.type = NormalizerType::normmax;
    component.word = "normmax";
    component.meaning =
        "the distribution p that maximises p · s − ‖p‖_α: sparse as entmax, but it spreads over "
        "several keys more evenly (Blondel, Martins and Niculae 2020)";
    component.options = {{.name = "alpha",
                          .label = "Alpha α",
                          .standard = 2.0,
                          .minimum = 1.1,
                          .maximum = 10,
                          .help =
                              "The norm that is taken off; the larger, the more alike the weights that are "
                              "not 0."}};
    component.stages = [](const Plan&, StageList& list) { list.add_column("threshold"); };
    component.steps = [](const Plan& plan, auto& journey) { add_steps(plan, journey); };
    component.explain = explain;
    return component;
}

}  // namespace headlight
