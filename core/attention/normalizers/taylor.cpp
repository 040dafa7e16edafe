#include "core/attention/component.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

template <class Real>
void add_steps(const Plan& plan, Journey<Real>& journey) {
    const int degree = std::stoi(option<std::string>(plan.spec.normalizer.options, "degree"));
    const double temperature = plan.spec.normalizer.temperature;
    journey.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& recorder) {
        double* scores = scratch<double>(row.size);
        double* powers = scratch<double, 1>(row.size);
        for (Index key = 0; key < row.size; ++key) {
            const bool counts = row.values[key] != forbidden<Real>;
            scores[key] = counts ? static_cast<double>(row.values[key]) / temperature : 0;
            powers[key] = 1;
        }
        for (int term = degree; term > 0; --term) {  // 1 + s (1 + s/2 (1 + s/3 ...))
            const double share = 1.0 / term;
            for (Index key = 0; key < row.size; ++key)
                powers[key] = 1 + powers[key] * scores[key] * share;
        }
        double sum = 0;
        for (Index key = 0; key < row.size; ++key) {
            powers[key] = row.values[key] == forbidden<Real> ? 0 : powers[key];
            sum += powers[key];
        }
        const RowRecord<Real> record(recorder, plan, row);
        record.row("polynomial", powers, row.size);
        record.number("row_sum", sum);
        for (Index key = 0; key < row.size; ++key)
            row.values[key] = static_cast<Real>(powers[key] / sum);
    };
}

}  // namespace

NormalizerComponent declare_normalizers_taylor() {
    NormalizerComponent component;
    component.type = NormalizerType::taylor;
    component.word = "taylor";
    component.meaning = "1 + s + s²/2 in place of exp(s), divided by the sum of the row: positive for every "
                        "score, and a product of features (Arora et al. 2024)";
    component.options = {{.name = "degree",
                          .label = "Degree",
                          .standard = std::string("2"),
                          .choices = {"2", "4", "6"},
                          .help = "Where the series of exp(s) ends. Only even degrees are never negative."}};
    component.stages = [](const Plan&, StageList& list) {
        list.add_map("polynomial");
        list.add_column("row_sum");
    };
    component.steps = [](const Plan& plan, auto& journey) { add_steps(plan, journey); };
    component.explain = [](const ExplainedCell& cell, std::string_view stage) -> std::string {
        if (!cell.counts(cell.column))
            return forbidden_key;
        if (stage == "polynomial")
            return "the beginning of the series of exp(" + score_over_temperature(cell) + ")";
        if (stage == "row_sum")
            return "the sum of the row’s polynomials";
        return cell.shown("polynomial") + " / " + format_number(cell.of_row("row_sum"));
    };
    return component;
}

}  // namespace headlight
