#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

Expression define_none_weights(DefinedRows& rows) {
    return rows.open_only(rows.over_temperature(rows.scores));
}

}  // namespace

NormalizerComponent declare_normalizers_none() {
    NormalizerComponent component;
    component.phrase = "the scores themselves";
    component.meaning = "the scores themselves, 0 where the mask forbids";
    component.gives_shares = false;
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.normalize = [temperature = plan.spec.normalizer.temperature](const auto& row,
                                                                              const Recorder&) {
            using Real = std::remove_reference_t<decltype(row.values[0])>;
            divide(row.values, row.size, static_cast<Real>(temperature));
            for (Index key = 0; key < row.size; ++key)
                row.values[key] = row.values[key] == forbidden<Real> ? Real(0) : row.values[key];
        };
    };
    component.define = define_none_weights;
    return component;
}

}  // namespace headlight
