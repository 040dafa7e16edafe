#include "core/attention/defined_algorithms.h"
#include "core/attention/recurrence.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight {
namespace {

RecurrenceKind cosformer_kind(const Plan& plan) {
    const Index features = 2 * plan.head_query_width();
    return {.features = features, .products = features, .divisor = Divisor::sum, .shows_features = true};
}

/// M, no less than the sequences are long, so that no cosine is negative.
double horizon(const Plan& plan) {
    const Index length = plan.algorithm().count("length");
    return static_cast<double>(std::max({length, plan.queries, plan.keys}));
}

/// relu(x) cos(t) and relu(x) sin(t), t = pi/2 i/M: products of the two are relu(q) . relu(k) cos(t_i - t_j),
/// by Ptolemy's theorem (Qin et al. 2022, eq. 10).
template <class Real>
auto cosformer_features(MatrixView<const Real> rows, double horizon) {
    return [=, width = rows.columns](Index token, double* out) {
        const double angle = std::numbers::pi / 2 * static_cast<double>(token) / horizon;
        const double cosine = std::cos(angle), sine = std::sin(angle);
        const Real* from = rows.row(token);
        for (Index c = 0; c < width; ++c) {
            const double positive = std::max(static_cast<double>(from[c]), 0.0);
            out[c] = positive * cosine;
            out[width + c] = positive * sine;
        }
    };
}

Expression define_cosformer(Composer& composer) {
    const Expression q = composer.let("query_feature", relu_of(composer.query));
    const Expression k = composer.let("key_feature", relu_of(composer.key));
    const Expression away = composer.query_places() - composer.key_places();
    return write_shares_of_similarities(
        composer, product_transposed(q, k) * cos_of(away * (std::numbers::pi / 2 / horizon(composer.plan))));
}

}  // namespace

AlgorithmComponent declare_algorithms_cosformer() {
    AlgorithmComponent component;
    component.meaning =
        "A ∝ relu(q) · relu(k) cos(π/2 (i − j)/M): no exponential, and near tokens count more "
        "(Qin et al. 2022)";
    component.options = {count_option(
        "length", "Horizon", 0, {0, 65536},
        "M, the distance at which the cosine is 0; the length of the sequence where that is longer.",
        "as long as the sequence")};
    declare_recurrence<cosformer_kind, true>(component);
    component.takes_any_mask = true;
    component.implies_shares = true;
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.algorithm = [&plan](const auto& task, const Recorder& record) {
            Recurrence<double> mixer{cosformer_kind(plan)};
            mixer.query = cosformer_features(task.query, horizon(plan));
            mixer.key = cosformer_features(task.key, horizon(plan));
            run_recurrence(plan, task, mixer, record);
        };
    };
    component.define = define_cosformer;
    return component;
}

}  // namespace headlight
