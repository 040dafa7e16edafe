#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"
#include "core/attention/normalizers/sink_rows.h"

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
    component.phrase = "softmax with 1 more in each sum";
    component.meaning =
        "exp(s_j) / (1 + sum of exp(s_k)): softmax with one more key of score 0 and no value, "
        "so that a query may look at nothing (Miller 2023)";
    component.stages = [](const Plan&, StageList& list) {
        add_softmax_stages(list);
        list.add_column("unassigned");
    };
    component.declared_stages = {declared_exponentials_beside_sink(),
                                 made_stage("unassigned", "Weight of no key", {},
                                            {.said = "what 1 has more than the weights of the row"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_off_by_one_steps(plan, pipeline); };
    component.define = [](DefinedRows& rows) { return define_with_sink(rows, 0); };
    return component;
}

}  // namespace headlight
