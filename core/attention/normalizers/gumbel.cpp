#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/dense_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

/// Records a row whose scores were counted from `largest`.
template <class Real>
struct CountedFrom {
    const RowRecord<Real>& record;
    double largest;

    void number(const char* stage, double value) const {
        record.number(stage, std::string_view(stage) == "row_maximum" ? largest + value : value);
    }
    template <class Number>
    void row(const char* stage, const Number* values, Index size) const {
        record.row(stage, values, size);
    }
};

template <class Real>
void add_gumbel_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const bool is_hard = plan.normalizer().flag("hard");
    const auto* kernels = &kernels_of(pipeline);
    pipeline.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& recorder) {
        const RowRecord<Real> record(recorder, plan, row);
        const std::uint64_t of_head = substream(plan.seed, static_cast<std::uint64_t>(row.head));
        const std::uint64_t stream = substream(of_head, static_cast<std::uint64_t>(row.query));
        Real* noise = scratch<Real>(row.size);
        const Real largest = add_gumbel_noise(row.values, row.size, stream, noise);
        const CountedFrom<Real> counted{record, static_cast<double>(largest)};
        record.row("noise", noise, row.size);
        if (is_hard && recorder) {
            std::copy(row.values, row.values + row.size, noise);
            softmax_row(noise, row.size, *kernels, counted,
                        static_cast<Real>(plan.spec.normalizer.temperature));
            record.row("soft_weights", noise, row.size);
        }
        if (is_hard)
            choose_largest(row.values, row.size);
        else
            softmax_row(row.values, row.size, *kernels, counted,
                        static_cast<Real>(plan.spec.normalizer.temperature));
    };
}

Expression define_gumbel_weights(DefinedRows& rows) {
    const Plan& plan = rows.composer.plan;
    const Expression noise =
        rows.composer.of_places(rows.of_map("gumbel_noise"), {rows.composer.heads, plan.queries, plan.keys},
                                "−ln(−ln u) of uniform numbers u", [seed = rows.seed()](Place at) {
                                    const auto of_head = substream(seed, static_cast<std::uint64_t>(at.head));
                                    const auto of_query =
                                        substream(of_head, static_cast<std::uint64_t>(at.row));
                                    return -std::log(-std::log(gumbel_chance(of_query, at.column)));
                                });
    rows.scores = rows.let("noisy_scores", rows.scores + noise, "scores plus noise");
    if (!rows.options().flag("hard"))
        return rows.softmax();
    rows.let("soft_weights", rows.softmax(), "what the choice would be if it were soft");
    return rows.first_largest(rows.scores);
}

}  // namespace

NormalizerComponent declare_normalizers_gumbel() {
    NormalizerComponent component;
    component.phrase = "Gumbel-softmax of each row";
    component.meaning =
        "softmax((s + g) / τ), g = −ln(−ln u): a soft picture of drawing one key; its argmax is "
        "a draw from softmax(s) (Jang, Gu and Poole 2017; Maddison, Mnih and Teh 2017)";
    component.options = {flag_option(
        "hard", "Hard", false, "All weight to the largest score plus noise: one draw from the softmax.")};
    component.stages = [](const Plan& plan, StageList& list) {
        list.add_map("noise");
        add_softmax_stages(list);
        if (plan.normalizer().flag("hard"))
            list.add_map("soft_weights");
    };
    component.declared_stages = {made_stage(
        "noise", "Noise", {},
        {.said = "−ln(−ln u), u drawn from the seed between 0 and 1; 0 where the mask forbids the key"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_gumbel_steps(plan, pipeline); };
    component.reads_place = true;
    component.define = define_gumbel_weights;
    return component;
}

}  // namespace headlight
