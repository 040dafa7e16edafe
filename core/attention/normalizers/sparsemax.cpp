#include "core/attention/component.h"
#include "core/attention/explained_cell.h"
#include "core/attention/journey.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// The threshold of [s - tau]_+ that makes the row sum to 1 (Martins and Astudillo 2016, algorithm 1): with
/// the scores sorted downwards, k is the largest count with 1 + k s_(k) > s_(1) + ... + s_(k).
template <class Real>
Real threshold(const Real* scores, Index size) {
    std::vector<Real> sorted;
    sorted.reserve(static_cast<std::size_t>(size));
    for (Index key = 0; key < size; ++key)
        if (!std::isinf(scores[key]))
            sorted.push_back(scores[key]);
    std::ranges::sort(sorted, std::ranges::greater());
    Real sum = 0, tau = 0, count = 0;
    for (const Real score : sorted) {
        sum += score;
        count += 1;
        if (1 + count * score <= sum)
            break;
        tau = (sum - 1) / count;
    }
    return tau;
}

void add_steps(const Plan& plan, auto& journey) {
    const double temperature = plan.spec.normalizer.temperature;
    const Index queries = plan.queries;
    journey.normalize = [temperature, queries](const auto& row, const Recorder& record) {
        using Real = std::remove_reference_t<decltype(row.values[0])>;
        const Real divisor = static_cast<Real>(temperature);
        for (Index key = 0; key < row.size; ++key)
            row.values[key] /= divisor;
        const Real tau = threshold(row.values, row.size);
        record.write("threshold", row.head * queries + row.query, &tau, 1);
        for (Index key = 0; key < row.size; ++key)
            row.values[key] = std::max(row.values[key] - tau, Real(0));
    };
}

std::string explain(const ExplainedCell& cell, std::string_view stage) {
    if (stage == "threshold")
        return "what all scores of the row must lose so that the rest, negative numbers cut off, sums to 1";
    return "max(0, " + format_number(cell.here("masked_scores") / cell.plan.spec.normalizer.temperature) +
           " − " + format_number(cell.of_row("threshold")) + ")";
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
