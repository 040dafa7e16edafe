#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/dense_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

template <class Real>
void add_taylor_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const int degree = std::stoi(plan.normalizer().word("degree"));
    const double temperature = plan.spec.normalizer.temperature;
    pipeline.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& recorder) {
        to_taylor(row.values, row.size, degree, temperature, RowRecord<Real>(recorder, plan, row));
    };
}

Expression define_taylor_weights(DefinedRows& rows) {
    const Expression s = rows.open_scores();
    Expression sum = 1;
    double factorial = 1;
    for (int power = 1; power <= std::stoi(rows.options().word("degree")); ++power) {
        factorial *= power;
        sum = sum + (power == 1 ? s : power_of(s, power) / factorial);
    }
    const Expression powers = rows.let("polynomial", rows.open_only(sum), "the series of exp(s)");
    return powers / not_zero(rows.let("row_sum", sum_of_columns(powers)));
}

}  // namespace

NormalizerComponent declare_normalizers_taylor() {
    NormalizerComponent component;
    component.phrase = "polynomials for exp ÷ their row’s sum";
    component.meaning =
        "1 + s + s²/2 in place of exp(s), divided by the sum of the row: positive for every "
        "score (de Brébisson and Vincent 2016), and a product of features (Arora et al. 2024)";
    component.options = {
        word_option("degree", "Degree", {"2", "4", "6"},
                    "Where the series of exp(s) ends. Only even degrees are never negative.")};
    component.stages = [](const Plan&, StageList& list) {
        list.add_map("polynomial");
        list.add_column("row_sum");
    };
    component.declared_stages = {{"polynomial", "Polynomial"}};
    component.steps = [](const Plan& plan, auto& pipeline) { add_taylor_steps(plan, pipeline); };
    component.define = define_taylor_weights;
    return component;
}

}  // namespace headlight
