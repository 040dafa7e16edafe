#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/dense_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

template <class Real>
void add_clipped_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const Options& options = plan.normalizer();
    const Real low = static_cast<Real>(options.number("low"));
    const Real high = static_cast<Real>(options.number("high"));
    const auto* kernels = &kernels_of(pipeline);
    pipeline.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& recorder) {
        const RowRecord<Real> record(recorder, plan, row);
        to_clipped(row.values, row.size, low, high, static_cast<Real>(plan.spec.normalizer.temperature),
                   *kernels, record);
    };
}

Expression define_clipped_weights(DefinedRows& rows) {
    const double low = rows.number("low"), high = rows.number("high");
    const Expression soft = rows.let("soft_weights", rows.softmax(), "the softmax before it is stretched");
    return rows.open_only(smaller_of(relu_of(soft * high + (1 - soft) * low), 1));
}

}  // namespace

NormalizerComponent declare_normalizers_clipped() {
    NormalizerComponent component;
    component.phrase = "softmax, stretched and clipped";
    component.meaning =
        "clip((ζ − γ) softmax(s) + γ, 0, 1): softmax stretched a little beyond [0, 1] and cut "
        "off, so that exact zeros need no huge scores (Bondarenko et al. 2023)";
    component.options = {
        number_option(
            "low", "Lower end γ", -0.03, {-1, 0},
            "Where a softmax weight of 0 would go before it is cut off; the lower, the more zeros."),
        number_option("high", "Upper end ζ", 1.0, {1, 2},
                      "Where a softmax weight of 1 would go before it is cut off.")};
    component.stages = [](const Plan&, StageList& list) {
        add_softmax_stages(list);
        list.add_map("soft_weights");
    };
    component.steps = [](const Plan& plan, auto& pipeline) { add_clipped_steps(plan, pipeline); };
    component.define = define_clipped_weights;
    return component;
}

}  // namespace headlight
