#include "core/attention/component.h"
#include "core/attention/normalizers/stopping.h"

namespace headlight {
namespace {

template <class Real>
void add_monotonic_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    pipeline.normalize_head = [&plan, kernels = &kernels_of(pipeline)](Index head, Real* scores,
                                                                       const Recorder& record) {
        Stopping<Real> stopping(plan, *kernels);
        for (Index query = 0; query < plan.queries; ++query) {
            Real* row = scores + query * plan.keys;
            const double* stopped = stopping.next(row, RowRecord<Real>(record, plan, head, query));
            for (Index key = 0; key < plan.keys; ++key)
                row[key] = stopped ? static_cast<Real>(stopped[key]) : Real(0);
        }
    };
}

}  // namespace

NormalizerComponent declare_normalizers_monotonic() {
    NormalizerComponent component;
    component.phrase = "where each query stops";
    component.meaning =
        "stops at key j with probability sigmoid(s_j + r): each query goes on from where the one "
        "before it stopped (Raffel et al. 2017)";
    component.options = stopping_options();
    component.couples_rows = true;
    component.stages = [](const Plan&, StageList& list) { add_stopping_stages(list); };
    component.orders_scores = stops_by_sign;
    component.declared_stages = declared_stopping_stages();
    component.steps = [](const Plan& plan, auto& pipeline) { add_monotonic_steps(plan, pipeline); };
    component.define = define_stopping;
    return component;
}

}  // namespace headlight
