#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"

namespace headlight {
namespace {

bool length_scaled_is_learned(const Plan& plan) { return plan.normalizer().number("strength") == 0; }

template <class Real>
void add_length_scaled_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const Real given = static_cast<Real>(plan.normalizer().number("strength"));
    const Real* learned = pipeline.operands.vector("s_length", length_scaled_is_learned(plan));
    const auto* kernels = &kernels_of(pipeline);
    pipeline.normalize = [=, &plan](const ScoreRow<Real>& row, const Recorder& recorder) {
        const RowRecord<Real> record(recorder, plan, row);
        const Real strength = learned ? learned[row.head] : given;
        const Real factor = strength * std::log(static_cast<Real>(count_allowed(row.values, row.size))) /
                            static_cast<Real>(plan.spec.normalizer.temperature);
        record.number("length_factor", static_cast<double>(factor));
        for (Index key = 0; key < row.size; ++key)  // the factor of one key is 0, and 0 times infinity is NaN
            row.values[key] = row.values[key] == forbidden<Real> ? forbidden<Real> : row.values[key] * factor;
        softmax_row(row.values, row.size, *kernels, record, Real(1));
    };
}

Expression define_length_scaled_weights(DefinedRows& rows) {
    const Expression factor = rows.of_head("strength", 0, "s_length") * log_of(rows.key_counts());
    const Expression scaled = rows.open_scores() * factor;
    rows.scores = rows.let("length_scaled_scores", rows.open_or_forbidden(scaled),
                           "scores times a strength and the logarithm of how many keys there are");
    rows.temperature = 1;
    return rows.softmax();
}

}  // namespace

NormalizerComponent declare_normalizers_length_scaled() {
    NormalizerComponent component;
    component.phrase = "softmax of scores × ln(length)";
    component.meaning = "softmax(s ln(n) z), n the number of allowed keys: rows stay sharp however long they "
                        "are (Nakanishi 2025, SSMax)";
    component.options = {number_option("strength", "Strength s", 0.43, {0, 10},
                                       "Scores are multiplied by s ln(n) before the softmax.",
                                       "learned for each head")};
    component.known_parameters = {
        {"s_length", "[h]", "multiplies the logarithm of the number of keys, for each head"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (length_scaled_is_learned(plan))
            list.add("s_length", {plan.heads}, 0.43);
    };
    component.stages = [](const Plan&, StageList& list) {
        list.add_column("length_factor");
        add_softmax_stages(list);
    };
    component.declared_stages = {
        made_stage("length_factor", "Length factor", {},
                   {.said = "s × ln(number of allowed keys), over the temperature"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_length_scaled_steps(plan, pipeline); };
    component.define = define_length_scaled_weights;
    return component;
}

}  // namespace headlight
