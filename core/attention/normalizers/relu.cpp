#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/dense_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

template <class Real>
void add_relu_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const bool squares = plan.normalizer().word("power") == "2";
    pipeline.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& record) {
        to_relu(row.values, row.size, squares, static_cast<Real>(plan.spec.normalizer.temperature),
                RowRecord<Real>(record, plan, row));
    };
}

Expression define_relu_weights(DefinedRows& rows) {
    return rows.open_only(
        power_of(relu_of(rows.open_scores()), static_cast<double>(std::stoi(rows.options().word("power")))) /
        rows.key_counts());
}

}  // namespace

NormalizerComponent declare_normalizers_relu() {
    NormalizerComponent component;
    component.phrase = "rectified scores ÷ number of keys";
    component.meaning = "max(0, s)^p / n for n allowed keys: no exponential, exact zeros, rows that sum to "
                        "anything (Wortsman et al. 2023)";
    component.options = {word_option("power", "Power p", {"1", "2"},
                                     "1 for max(0, s) / n, 2 for its square in place of max(0, s).")};
    component.stages = [](const Plan&, StageList& list) { list.add_column("allowed_keys"); };
    component.declared_stages = {made_stage("allowed_keys", "Allowed keys", {},
                                            {.said = "how many keys the mask leaves to this query"})};
    component.gives_shares = false;
    component.steps = [](const Plan& plan, auto& pipeline) { add_relu_steps(plan, pipeline); };
    component.define = define_relu_weights;
    return component;
}

}  // namespace headlight
