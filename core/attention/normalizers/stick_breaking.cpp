#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/dense_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

template <class Real>
void add_stick_breaking_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const bool own_key = plan.normalizer().flag("own_key");
    const auto* kernels = &kernels_of(pipeline);
    pipeline.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& recorder) {
        const RowRecord<Real> record(recorder, plan, row);
        if (!own_key && row.query < row.size)
            row.values[row.query] = forbidden<Real>;
        break_stick(row.values, row.size, static_cast<Real>(plan.spec.normalizer.temperature), *kernels,
                    record);
    };
}

Expression define_stick_breaking_weights(DefinedRows& rows) {
    const Plan& plan = rows.composer.plan;
    const Expression s = rows.open_scores();
    const bool own_key = rows.options().flag("own_key");
    const auto takes_part = [&](const Expression& x) {
        const Expression open = rows.open_only(x);
        if (own_key)
            return open;
        return open * rows.composer.of_places("other_keys", {0, plan.queries, plan.keys},
                                              "1 for each key but the query’s own",
                                              [](Place at) { return at.row == at.column ? 0.0 : 1.0; });
    };
    rows.let("break_probabilities", takes_part(sigmoid_of(s)), "what each key takes of what is left");
    const Expression left =
        rows.let("log_left", takes_part(log_sigmoid_of(-s)), "ln of what each key leaves of the stick");
    const Expression later = rows.between_keys("later_keys", "1 for each key after this one",
                                               [](Index row, Index column) { return row > column; });
    const Expression before =
        rows.let("log_stick", product(left, later), "ln of what the keys after it have left");
    return takes_part(exp_of(log_sigmoid_of(s) + before));
}

}  // namespace

NormalizerComponent declare_normalizers_stick_breaking() {
    NormalizerComponent component;
    component.phrase = "shares broken off from the last key back";
    component.meaning =
        "b_j × product of (1 − b_k) over the keys k after j, b = sigmoid(s): from the last key "
        "back each breaks off its share of what is left (Tan et al. 2025)";
    component.options = {flag_option(
        "own_key", "Own place takes part", true,
        "Off: a query never looks at its own place, as the paper has it; what nobody wants is lost.")};
    component.stages = [](const Plan&, StageList& list) {
        list.add_map("break_probabilities");
        list.add_column("unassigned");
    };
    component.declared_stages = {made_stage("break_probabilities", "Break probabilities", {},
                                            {.is_share = true, .leaves_out_masked = true}),
                                 made_stage("unassigned", "Weight of no key", {},
                                            {.said = "what is left of the stick after the first key"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_stick_breaking_steps(plan, pipeline); };
    component.reads_place = true;
    component.define = define_stick_breaking_weights;
    return component;
}

}  // namespace headlight
