#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/recurrence.h"

#include <cmath>

namespace headlight {
namespace {

RecurrenceKind retention_kind(const Plan& plan) {
    const bool normalizes = option<bool>(plan.spec.algorithm.options, "normalize");
    return {.features = plan.head_query_width(),
            .gates = 1,
            .divisor = normalizes ? Divisor::sum_above_one : Divisor::none,
            .chunk = chunk_of(plan)};
}

/// gamma_h = 1 - 2^(-5-h) (Sun et al. 2023, eq. 8), or the one that was given.
double decay(const Plan& plan, Index head) {
    const double given = option<double>(plan.spec.algorithm.options, "gamma");
    return given > 0 ? given : 1 - std::exp2(-5 - static_cast<double>(head));
}

template <class Real>
void run_retention(const Plan& plan, const HeadTask<Real>& task, const Recorder& record) {
    Recurrence<Real> mixer{retention_kind(plan)};
    mixer.query = plain_features<Real>(task.query, query_scale(plan));
    mixer.key = plain_features<Real>(task.key);
    mixer.log_gate = [log_gamma = static_cast<Real>(std::log(decay(plan, task.head)))](Index, Real* out) {
        *out = log_gamma;
    };
    run_recurrence(plan, task, mixer, record);
}

Expression define_retention(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression decays = composer.constant(
        "decay_mask", {composer.heads, plan.queries, plan.keys}, "γ to the power of the steps since the key",
        [&](Index head, Index row, Index column) {
            return composer.may_meet(row, column)
                       ? std::pow(decay(plan, head), static_cast<double>(newest_key(composer, row) - column))
                       : 0;
        });
    const Expression similarities = composer.let(
        "similarities",
        composer.where_open(product_transposed(composer.query, composer.key) * scale_of_queries(composer), 0),
        "products of queries and keys");
    const Expression kept = similarities * decays;
    if (!option<bool>(algorithm_options(composer), "normalize"))
        return write_attended_values(composer, composer.let("weights", kept, "products that fade"));
    const Expression raw = composer.let("faded_products", kept, "products that fade");
    const Expression sum =
        larger_of(absolute_of(composer.let("row_sum", sum_of_columns(raw), "the sum of each row")), 1);
    return write_attended_values(composer,
                                 composer.let("weights", raw / sum, "what each query gives to each key"));
}

}  // namespace

AlgorithmComponent declare_algorithms_retention() {
    AlgorithmComponent component;
    component.type = AlgorithmType::retention;
    component.word = "retention";
    component.meaning = "A_ij = γ^(i−j) q_i · k_j / √d with a γ for each head and no softmax: S ← γ S + kᵀ v "
                        "(Sun et al. 2023)";
    component.options = {{.name = "gamma",
                          .label = "Decay γ",
                          .standard = 0.0,
                          .minimum = 0,
                          .maximum = 1,
                          .help = "What is left of a key after one more token; 1 forgets nothing.",
                          .minimum_word = "each head its own, 1 − 2^(−5−h)"},
                         {.name = "normalize",
                          .label = "Normalise rows",
                          .standard = false,
                          .help = "Divides each row by the absolute value of its sum where that is above 1."},
                         scaled_option(true)};
    for (Option& each : form_options())
        component.options.push_back(each);
    declare_recurrence<retention_kind>(component);
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.algorithm = [&plan](const auto& task, const Recorder& record) {
            run_retention(plan, task, record);
        };
    };
    component.define = define_retention;
    component.explain = explain_recurrence;
    return component;
}

}  // namespace headlight
