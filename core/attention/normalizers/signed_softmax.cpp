#include "core/attention/component.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

template <class Real>
void add_steps(const Plan& plan, Journey<Real>& journey) {
    journey.normalize = [&plan, kernels = &kernels_of(journey)](const ScoreRow<Real>& row,
                                                                const Recorder& recorder) {
        const RowRecord<Real> record(recorder, plan, row);
        Real* sizes = scratch<Real>(row.size);
        for (Index key = 0; key < row.size; ++key)
            sizes[key] = row.values[key] == forbidden<Real> ? forbidden<Real> : std::abs(row.values[key]);
        soften(sizes, row.size, *kernels, record, static_cast<Real>(plan.spec.normalizer.temperature));
        for (Index key = 0; key < row.size; ++key)
            row.values[key] = row.values[key] < 0 ? Real(0) - sizes[key] : sizes[key];
    };
}

}  // namespace

NormalizerComponent declare_normalizers_signed_softmax() {
    NormalizerComponent component;
    component.type = NormalizerType::signed_softmax;
    component.word = "signed_softmax";
    component.meaning = "sign(s) softmax(|s|): a strongly negative score takes its value away; absolute "
                        "weights sum to 1 (Lv et al. 2024, Cog attention)";
    component.stages = [](const Plan&, StageList& list) { add_softmax_stages(list); };
    component.steps = [](const Plan& plan, auto& journey) { add_steps(plan, journey); };
    component.explain = [](const ExplainedCell& cell, std::string_view stage) -> std::string {
        std::string magnitude = "|";
        magnitude += score_over_temperature(cell);
        magnitude += '|';
        if (const std::string text = explain_soften(cell, stage, magnitude); !text.empty())
            return text;
        if (!cell.counts(cell.column))
            return forbidden_key;
        return (cell.here("masked_scores") < 0 ? "−" : "") + share_of_row_sum(cell) + ", from |" +
               cell.shown("masked_scores") + "| with its sign";
    };
    return component;
}

}  // namespace headlight
