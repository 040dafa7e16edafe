#include "core/attention/component.h"
#include "core/attention/normalizers/dense_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

template <class Real>
void add_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const int degree = std::stoi(option<std::string>(plan.spec.normalizer.options, "degree"));
    const double temperature = plan.spec.normalizer.temperature;
    pipeline.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& recorder) {
        to_taylor(row.values, row.size, degree, temperature, RowRecord<Real>(recorder, plan, row));
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
    component.steps = [](const Plan& plan, auto& pipeline) { add_steps(plan, pipeline); };
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
