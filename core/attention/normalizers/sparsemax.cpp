#include "core/attention/component.h"
#include "core/attention/normalizers/row_arithmetic.h"

#include <algorithm>
#include <functional>

namespace headlight {
namespace {

/// The threshold of [s - tau]_+ that makes the row sum to 1 (Martins and Astudillo 2016, algorithm 1): with
/// the scores sorted downwards, k is the largest count with 1 + k s_(k) > s_(1) + ... + s_(k). Counted from
/// the largest score, so that no digits are lost; what is 1 or more below it never counts.
template <class Real>
double threshold(const Real* scores, Index size, double temperature) {
    double largest = forbidden<double>;
    for (Index key = 0; key < size; ++key)
        largest = std::max(largest, static_cast<double>(scores[key]));
    double* sorted = scratch<double>(size);
    double* end = sorted;
    for (Index key = 0; key < size; ++key)
        if (const double below = (static_cast<double>(scores[key]) - largest) / temperature; below > -1)
            *end++ = below;
    std::sort(sorted, end, std::greater());
    double sum = 0, tau = 0, count = 0;
    for (const double* score = sorted; score != end; ++score) {
        sum += *score;
        count += 1;
        if (1 + count * *score <= sum)
            break;
        tau = (sum - 1) / count;
    }
    return tau + largest / temperature;
}

template <class Real>
void add_steps(const Plan& plan, Journey<Real>& journey) {
    const double temperature = plan.spec.normalizer.temperature;
    journey.normalize = [temperature, &plan](const ScoreRow<Real>& row, const Recorder& recorder) {
        const double tau = threshold(row.values, row.size, temperature);
        RowRecord<Real>(recorder, plan, row).number("threshold", tau);
        for (Index key = 0; key < row.size; ++key)
            row.values[key] =
                static_cast<Real>(std::max(static_cast<double>(row.values[key]) / temperature - tau, 0.0));
    };
}

std::string explain(const ExplainedCell& cell, std::string_view stage) {
    if (stage == "threshold")
        return "what all scores of the row must lose so that the rest, negative numbers cut off, sums to 1";
    if (!cell.counts(cell.column))
        return forbidden_key;
    return "max(0, " + plus(score_over_temperature(cell), -cell.of_row("threshold")) + ")";
}

}  // namespace

NormalizerComponent declare_normalizers_sparsemax() {
    NormalizerComponent component;
    component.type = NormalizerType::sparsemax;
    component.word = "sparsemax";
    component.meaning =
        "max(0, s − τ), τ such that the row sums to 1: the nearest point of the simplex, with exact "
        "zeros (Martins and Astudillo 2016)";
    component.stages = [](const Plan&, StageList& list) { list.add_column("threshold"); };
    component.steps = [](const Plan& plan, auto& journey) { add_steps(plan, journey); };
    component.explain = explain;
    return component;
}

}  // namespace headlight
