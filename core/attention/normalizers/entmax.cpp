#include "core/attention/component.h"
#include "core/attention/normalizers/row_arithmetic.h"
#include "core/attention/normalizers/threshold.h"

#include <algorithm>
#include <functional>

namespace headlight {
namespace {

/// The scores of a row that can get weight, as z = (alpha - 1) s counted from the largest: weights are
/// [z - tau]_+^(1 / (alpha - 1)) and at most 1, so tau >= -1.
struct Candidates {
    double* scores;
    Index* keys;
    Index count = 0;
};

template <class Real>
Candidates candidates(const Real* row, Index size, double factor, double largest) {
    Candidates found{scratch<double>(size), scratch<Index>(size)};
    for (Index key = 0; key < size; ++key)
        if (const double z = (static_cast<double>(row[key]) - largest) * factor; z > -1) {
            found.scores[found.count] = z;
            found.keys[found.count++] = key;
        }
    return found;
}

/// alpha = 1.5, in closed form: for the k largest scores tau = mean - sqrt((1 - k var) / k); the support is
/// the largest k whose tau does not pass the k-th score (Peters, Niculae and Martins 2019, appendix).
double exact_threshold(const Candidates& found) {
    double* sorted = scratch<double, 1>(found.count);
    std::copy(found.scores, found.scores + found.count, sorted);
    std::sort(sorted, sorted + found.count, std::greater());
    double sum = 0, squares = 0, threshold = -1;
    for (Index k = 0; k < found.count; ++k) {
        sum += sorted[k];
        squares += sorted[k] * sorted[k];
        const double count = static_cast<double>(k + 1), mean = sum / count;
        const double rest = std::max((1 - (squares - count * mean * mean)) / count, 0.0);
        const double tau = mean - std::sqrt(rest);
        if (tau > sorted[k])
            break;
        threshold = tau;
    }
    return threshold;
}

double threshold(const Candidates& found, double alpha) {
    if (alpha == 1.5)
        return exact_threshold(found);
    const double power = 1 / (alpha - 1);
    const double highest = -std::pow(static_cast<double>(found.count), 1 - alpha);
    return solve_threshold(-1, highest, [&](double tau) {
        SumAndSlope at{-1, 0};
        for (Index i = 0; i < found.count; ++i)
            if (const double left = found.scores[i] - tau; left > 0) {
                const double weight = std::pow(left, power);
                at.sum += weight;
                at.slope -= power * weight / left;
            }
        return at;
    });
}

template <class Real>
void to_entmax(Real* row, Index size, double alpha, double temperature, const RowRecord<Real>& record) {
    double largest = forbidden<double>;
    for (Index key = 0; key < size; ++key)
        largest = std::max(largest, static_cast<double>(row[key]));
    const double factor = (alpha - 1) / temperature;
    const Candidates found = candidates(row, size, factor, largest);
    const double tau = threshold(found, alpha);
    record.number("threshold", tau + largest * factor);
    double sum = 0;
    for (Index i = 0; i < found.count; ++i) {
        const double left = std::max(found.scores[i] - tau, 0.0);
        found.scores[i] = alpha == 1.5 ? left * left : alpha == 2 ? left : std::pow(left, 1 / (alpha - 1));
        sum += found.scores[i];
    }
    std::fill(row, row + size, Real(0));
    for (Index i = 0; i < found.count; ++i)
        row[found.keys[i]] = static_cast<Real>(found.scores[i] / sum);
}

template <class Real>
void add_steps(const Plan& plan, Journey<Real>& journey) {
    const double alpha = option<double>(plan.spec.normalizer.options, "alpha");
    const double temperature = plan.spec.normalizer.temperature;
    const auto* kernels = &kernels_of(journey);
    journey.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& recorder) {
        const RowRecord<Real> record(recorder, plan, row);
        if (alpha == 1)  // the limit
            soften(row.values, row.size, *kernels, record, static_cast<Real>(temperature));
        else
            to_entmax(row.values, row.size, alpha, temperature, record);
    };
}

std::string explain(const ExplainedCell& cell, std::string_view stage) {
    const double alpha = option<double>(cell.plan.spec.normalizer.options, "alpha");
    if (alpha == 1)
        return "softmax, which entmax is for α = 1";
    if (stage == "threshold")
        return "what " + format_number(alpha - 1) + " s must lose so that the row sums to 1";
    if (!cell.counts(cell.column))
        return forbidden_key;
    return "max(0, " +
           plus(format_number(alpha - 1) + " × " + score_over_temperature(cell), -cell.of_row("threshold")) +
           ") to the power of " + format_number(1 / (alpha - 1));
}

}  // namespace

NormalizerComponent declare_normalizers_entmax() {
    NormalizerComponent component;
    component.type = NormalizerType::entmax;
    component.word = "entmax";
    component.meaning =
        "max(0, (α − 1) s − τ)^(1/(α − 1)): softmax at α = 1, sparsemax at α = 2, and all that "
        "lies between (Peters, Niculae and Martins 2019)";
    component.options = {
        {.name = "alpha",
         .label = "Alpha α",
         .standard = 1.5,
         .minimum = 1,
         .maximum = 4,
         .help = "How sparse: 1 is softmax, 2 is sparsemax; the larger, the more exact zeros."}};
    component.stages = [](const Plan&, StageList& list) { list.add_column("threshold"); };
    component.steps = [](const Plan& plan, auto& journey) { add_steps(plan, journey); };
    component.explain = explain;
    return component;
}

}  // namespace headlight
