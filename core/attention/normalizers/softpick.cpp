#include "core/attention/component.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

/// e^-largest (e^s - 1) of every score. Near 0 the difference would lose its digits; there its series is
/// used.
void to_powers_less_one(double* row, Index size, double largest, const kernels::Table<double>& kernels) {
    double* powers = scratch<double, 1>(size);
    std::copy(row, row + size, powers);
    kernels.exponentials(powers, size, largest, 1);
    const double one = std::exp(-largest);
    for (Index key = 0; key < size; ++key) {
        const double s = row[key];
        const double series = one * s * (1 + s / 2 * (1 + s / 3 * (1 + s / 4)));
        row[key] = std::abs(s) < 1e-3 ? series : powers[key] - one;
    }
}

template <class Real>
void add_steps(const Plan& plan, Journey<Real>& journey) {
    const double temperature = plan.spec.normalizer.temperature;
    const auto* kernels = &kernels::table<double>(kernels::chosen_level());
    journey.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& recorder) {
        double* powers = scratch<double>(row.size);
        double largest = 0;
        for (Index key = 0; key < row.size; ++key) {
            powers[key] = static_cast<double>(row.values[key]) / temperature;
            largest = std::max(largest, powers[key]);
        }
        to_powers_less_one(powers, row.size, largest, *kernels);
        double sum = 0;
        for (Index key = 0; key < row.size; ++key)
            sum += row.values[key] == forbidden<Real> ? 0 : std::abs(powers[key]);
        for (Index key = 0; key < row.size; ++key) {
            const double positive = powers[key] > 0 ? powers[key] : 0;
            row.values[key] = static_cast<Real>(sum > 0 ? positive / sum : 0);  // zero scores, no weights
        }
        const RowRecord<Real> record(recorder, plan, row);
        record.number("row_maximum", largest);
        record.number("row_sum", sum);
    };
}

}  // namespace

NormalizerComponent declare_normalizers_softpick() {
    NormalizerComponent component;
    component.type = NormalizerType::softpick;
    component.word = "softpick";
    component.meaning =
        "max(0, exp(s) − 1) / sum of |exp(s) − 1|: scores of 0 and below get nothing, so that "
        "no key must serve as a sink (Zuhri et al. 2025)";
    component.stages = [](const Plan&, StageList& list) {
        list.add_column("row_maximum");
        list.add_column("row_sum");
    };
    component.steps = [](const Plan& plan, auto& journey) { add_steps(plan, journey); };
    component.explain = [](const ExplainedCell& cell, std::string_view stage) -> std::string {
        if (stage == "row_maximum")
            return "the largest score of the row, or 0";
        if (stage == "row_sum")
            return "the sum of |exp(s) − 1| over the allowed keys, times exp(−row maximum)";
        if (!cell.counts(cell.column))
            return forbidden_key;
        const std::string largest = format_number(cell.of_row("row_maximum"));
        return "max(0, exp(" + score_over_temperature(cell) + ") − 1) × exp(−" + largest + ") / " +
               format_number(cell.of_row("row_sum"));
    };
    return component;
}

}  // namespace headlight
