#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

template <class Real>
void add_off_by_one_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    pipeline.normalize = [&plan, kernels = &kernels_of(pipeline)](const ScoreRow<Real>& row,
                                                                  const Recorder& record) {
        softmax_row(row.values, row.size, *kernels, RowRecord<Real>(record, plan, row),
                    static_cast<Real>(plan.spec.normalizer.temperature), Real(0));
    };
}

}  // namespace

NormalizerComponent declare_normalizers_off_by_one() {
    NormalizerComponent component;
    component.type = NormalizerType::off_by_one;
    component.word = "off_by_one";
    component.phrase = "softmax with 1 more in each sum";
    component.meaning =
        "exp(s_j) / (1 + sum of exp(s_k)): softmax with one more key of score 0 and no value, "
        "so that a query may look at nothing (Miller 2023)";
    component.stages = [](const Plan&, StageList& list) {
        add_softmax_stages(list);
        list.add_column("unassigned");
    };
    component.declared_stages = {{"unassigned", "Weight of no key"}};
    component.steps = [](const Plan& plan, auto& pipeline) { add_off_by_one_steps(plan, pipeline); };
    component.define = [](DefinedRows& rows) { return rows.with_sink(rows.zero_column()); };
    component.explain = [](const ExplainedCell& cell, std::string_view stage) -> Arithmetic {
        if (stage == "unassigned")
            return "1 − (" + sum_of(cell.counted(cell.normalised_stage())) + ")";
        if (const Arithmetic text = explain_softmax(cell, stage, score_over_temperature(cell)); !text.empty())
            return text;
        return cell.counts(cell.column)
                   ? share_of_row_sum(cell) + ", the sum counts a score of 0 that no key has"
                   : forbidden_key;
    };
    return component;
}

}  // namespace headlight
