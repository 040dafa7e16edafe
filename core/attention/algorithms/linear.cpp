#include "core/attention/defined_algorithms.h"
#include "core/attention/recurrence.h"
#include "core/kernels/arithmetic.h"

#include <algorithm>

namespace headlight {
namespace {

RecurrenceKind linear_kind(const Plan& plan) {
    return {.features = plan.head_query_width(),
            .divisor = Divisor::sum,
            .is_positive = true,
            .shows_features = true,
            .chunk = chunk_of(plan)};
}

/// phi(x) = elu(x) + 1, above 0 everywhere (Katharopoulos et al. 2020, eq. 7).
template <class Real>
auto linear_features(MatrixView<const Real> rows) {
    return [=, &by = kernels::chosen_arithmetic<Real>()](Index token, Real* out) {
        const Real* from = rows.row(token);
        for (Index c = 0; c < rows.columns; ++c)
            out[c] = std::min(from[c], Real(0));
        by.exponential(out, rows.columns, out);
        for (Index c = 0; c < rows.columns; ++c)
            out[c] += std::max(from[c], Real(0));
    };
}

Expression define_linear_attention(Composer& composer) {
    const Expression q = composer.let(recorded_as(composer, "query_features", "query_feature"),
                                      positive_features(composer.query), "elu(q) + 1");
    const Expression k = composer.let(recorded_as(composer, "key_features", "key_feature"),
                                      positive_features(composer.key), "elu(k) + 1");
    return write_shares_of_similarities(composer, product_transposed(q, k));
}

}  // namespace

AlgorithmComponent declare_algorithms_linear() {
    AlgorithmComponent component;
    component.meaning =
        "o = φ(q) Σ φ(k)ᵀ v / φ(q) Σ φ(k)ᵀ with φ(x) = elu(x) + 1, as a running sum: time grows with "
        "the length, not its square (Katharopoulos et al. 2020)";
    component.options = form_options();
    declare_recurrence<linear_kind>(component);
    component.takes_any_mask = true;
    component.implies_shares = true;
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.algorithm = [&plan](const auto& task, const Recorder& record) {
            using Real = std::remove_pointer_t<decltype(task.context.data)>;
            Recurrence<Real> mixer{linear_kind(plan)};
            mixer.query = linear_features(task.query);
            mixer.key = linear_features(task.key);
            run_recurrence(plan, task, mixer, record);
        };
    };
    component.define = define_linear_attention;
    return component;
}

}  // namespace headlight
