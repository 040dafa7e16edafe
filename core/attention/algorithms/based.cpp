#include "core/attention/defined_algorithms.h"
#include "core/attention/recurrence.h"

#include <cmath>
#include <numbers>

namespace headlight {
namespace {

RecurrenceKind based_kind(const Plan& plan) {
    const Index d = plan.head_query_width();
    return {.features = 1 + d + d * d,
            .products = d * d,
            .divisor = Divisor::sum,
            .shows_features = true,
            .shows_state = false};
}

/// [1, x, x (x) x / sqrt(2)] of x over the fourth root of d: the products are 1 + s + s^2/2, s = q . k /
/// sqrt(d) (Arora et al. 2024, section 4.1). In double: the terms of s cancel.
template <class Real>
auto based_features(MatrixView<const Real> rows) {
    return [=, width = rows.columns](Index token, double* out) {
        const Real* from = rows.row(token);
        const double shrink = std::pow(static_cast<double>(width), -0.25);
        *out++ = 1;
        double* const x = out;
        for (Index c = 0; c < width; ++c)
            *out++ = static_cast<double>(from[c]) * shrink;
        for (Index a = 0; a < width; ++a) {
            const double part = x[a] / std::numbers::sqrt2;
            for (Index b = 0; b < width; ++b)
                *out++ = part * x[b];
        }
    };
}

Expression define_based(Composer& composer) {
    const Expression s =
        composer.let("scaled_products", scaled_products(composer, composer.query, composer.key));
    return write_shares_of_similarities(composer, 1 + s + s * s / 2);
}

}  // namespace

AlgorithmComponent declare_algorithms_based() {
    AlgorithmComponent component;
    component.meaning =
        "A ∝ 1 + s + s²/2 with s = q · k / √d: the exponential’s Taylor polynomial of second degree, "
        "as features (Arora et al. 2024)";
    declare_recurrence<based_kind, true>(component);
    component.takes_any_mask = true;
    component.implies_shares = true;
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.algorithm = [&plan](const auto& task, const Recorder& record) {
            Recurrence<double> mixer{based_kind(plan)};
            mixer.query = based_features(task.query);
            mixer.key = based_features(task.key);
            run_recurrence(plan, task, mixer, record);
        };
    };
    component.define = define_based;
    return component;
}

}  // namespace headlight
