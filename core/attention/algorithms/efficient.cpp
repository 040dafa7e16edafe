#include "core/attention/defined_algorithms.h"
#include "core/attention/normalizers/rows.h"
#include "core/attention/recurrence.h"
#include "core/kernels/kernels.h"
#include "core/tensor/interruption.h"

#include <algorithm>

namespace headlight {
namespace {

/// A gate for each feature: what the running maximum of that feature takes from the keys before.
RecurrenceKind efficient_kind(const Plan& plan) {
    const Index d = plan.head_query_width();
    return {.features = d,
            .gates = d,
            .divisor = Divisor::feature_sums,
            .shows_features = true,
            .shows_gates = false};
}

template <class Real>
void run_efficient(const Plan& plan, const HeadTask<Real>& task, const Recorder& record) {
    const Index d = plan.head_key_width(), m = plan.keys;
    std::vector<Real> maxima(static_cast<std::size_t>(m * d));  // [m, d], of each feature so far
    const auto maximum = [&](Index key) { return maxima.data() + key * d; };
    std::copy_n(task.key.row(0), d, maximum(0));
    for (Index key = 1; key < m; ++key)
        std::transform(maximum(key - 1), maximum(key), task.key.row(key), maximum(key),
                       [](Real before, Real now) { return std::max(before, now); });
    Recurrence<Real> mixer{efficient_kind(plan)};
    const auto& kernels = kernels::table<Real>(kernels::chosen_level());
    mixer.query = [&](Index query, Real* out) {  // the softmax over its features
        std::copy_n(task.query.row(query), d, out);
        softmax_of_all(out, d, kernels, Real(1));
    };
    mixer.key = [&](Index key, Real* out) {
        std::transform(task.key.row(key), task.key.row(key) + d, maximum(key), out, std::minus());
        kernels.exponentials(out, d, Real(0), Real(1));
    };
    mixer.log_gate = [&](Index key, Real* out) {
        std::transform(maximum(std::max<Index>(key - 1, 0)), maximum(std::max<Index>(key - 1, 0)) + d,
                       maximum(key), out, std::minus());
    };
    run_recurrence(plan, task, mixer, record);
}

Expression define_efficient(Composer& composer) {
    const Expression shares = softmax_of(composer, "query_shares", composer.query);
    constexpr double smaller_than_all = -1e300;  // minus infinity less itself would be no number
    const Expression keys = of_seen_keys(composer, composer.key, smaller_than_all);
    const Expression exponentials = composer.let("key_exponentials", exp_of(keys - maximum_of_rows(keys)),
                                                 "exp(key − largest of its column)");
    const Plan& plan = composer.plan;
    const Expression open =
        composer.constant("open_pairs", {0, plan.queries, plan.keys}, "1 where a query sees a key",
                          [may_meet = composer.may_meet](Index, Index row, Index column) {
                              return may_meet(row, column) ? 1.0 : 0.0;
                          });
    const Expression sums =
        composer.let("key_sums", product(open, exponentials), "over the keys that a query sees");
    const Expression of_keys = composer.let("share_of_exponentials", shares / not_zero(sums));
    return write_attended_values(composer,
                                 composer.let("weights", product_transposed(of_keys, exponentials) * open,
                                              "what each query gives to each key"));
}

}  // namespace

AlgorithmComponent declare_algorithms_efficient() {
    AlgorithmComponent component;
    component.meaning =
        "softmax of each query over its features, times the softmax of each feature over the keys: "
        "A = ρ_q(Q) ρ_k(K)ᵀ (Shen et al. 2021)";
    declare_recurrence<efficient_kind>(component);
    component.takes_any_mask = true;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        StepMemory memory = recurrence_memory(plan, efficient_kind(plan), needs, needs.real);
        memory.working += elements(plan.keys, plan.head_key_width()) * needs.real;  // the maxima
        return memory;
    };
    component.declared_stages = declared_shifted_recurrence_stages();
    component.implies_shares = true;
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.algorithm = [&plan](const auto& task, const Recorder& record) {
            run_efficient(plan, task, record);
        };
    };
    component.define = define_efficient;
    return component;
}

}  // namespace headlight
