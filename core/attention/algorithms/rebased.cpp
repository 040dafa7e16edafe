#include "core/attention/defined_algorithms.h"
#include "core/attention/recurrence.h"
#include "core/attention/vector_length.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

constexpr double smallest_rebased_variance = 1e-5;

RecurrenceKind rebased_kind(const Plan& plan) {
    const Index d = plan.head_query_width();
    return {.features = d * d,
            .products = d * d,
            .divisor = Divisor::sum,
            .shows_features = true,
            .shows_state = false};
}

/// x (x) x of x = gamma y + beta, y the vector, or what layer normalisation makes of it (Aksenov et al. 2024,
/// section 3): the products are (q . k)^2. In double: the terms of q . k cancel.
template <class Real>
auto rebased_features(MatrixView<const Real> rows, const Real* gain, const Real* shift, bool normalizes) {
    return [=, width = rows.columns](Index token, double* out) {
        const Real* from = rows.row(token);
        double mean = 0;
        for (Index c = 0; c < width; ++c)
            mean += static_cast<double>(from[c]) / static_cast<double>(width);
        const Length deviation = root_mean_square(
            width, [&](Index c) { return static_cast<double>(from[c]) - mean; }, smallest_rebased_variance);
        thread_local std::vector<double> x;
        x.clear();
        double largest = 0;
        for (Index c = 0; c < width; ++c) {
            const double y = static_cast<double>(from[c]);
            x.push_back(static_cast<double>(gain[c]) * (normalizes ? deviation.divide(y - mean) : y) +
                        static_cast<double>(shift[c]));
            largest = std::max(largest, std::abs(x.back()));
        }
        if (largest > 0 && largest < 1e-145) {  // the squares have no digits left
            std::fill_n(out, width * width, std::numeric_limits<double>::quiet_NaN());
            return;
        }
        for (const double a : x)
            out = std::transform(x.begin(), x.end(), out, [a](double b) { return a * b; });
    };
}

Expression define_rebased(Composer& composer) {
    const bool normalizes = composer.plan.algorithm().flag("normalize");
    const auto affine = [&](const std::string& name, Expression x, const std::string& suffix) {
        if (normalizes) {
            const Expression centred = composer.let("centred_" + name, x - mean_of_columns(x));
            x = centred / root_of(mean_of_columns(centred * centred) + smallest_rebased_variance);
        }
        return composer.let(name + "_affine",
                            composer.parameter("gamma_" + suffix) * x + composer.parameter("beta_" + suffix),
                            "γ x + β, feature by feature");
    };
    const Expression q = affine("query", composer.query, "q"), k = affine("key", composer.key, "k");
    const Expression products = composer.let("affine_products", product_transposed(q, k));
    return write_shares_of_similarities(composer, products * products);
}

}  // namespace

AlgorithmComponent declare_algorithms_rebased() {
    AlgorithmComponent component;
    component.meaning =
        "A ∝ (q′ · k′)² with q′ = γ q + β and k′ likewise, γ and β learned: a weight can be 0 "
        "(Aksenov et al. 2024)";
    component.options = {flag_option("normalize", "Normalise vectors", false,
                                     "Gives every query and key mean 0 and variance 1 before γ and β.")};
    component.known_parameters = {
        {"gamma_q", "[d_q] per head, shared by the heads",
         "scales each feature of a query before its square"},
        {"beta_q", "[d_q] per head, shared by the heads",
         "is added to each feature of a query before its square"},
        {"gamma_k", "[d_k] per head, shared by the heads", "scales each feature of a key before its square"},
        {"beta_k", "[d_k] per head, shared by the heads",
         "is added to each feature of a key before its square"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.head_query_width();
        list.add("gamma_q", {width}, 1.0);
        list.add("beta_q", {width}, 0.0);
        list.add("gamma_k", {width}, 1.0);
        list.add("beta_k", {width}, 0.0);
    };
    declare_recurrence<rebased_kind, true>(component);
    component.takes_any_mask = true;
    component.implies_shares = true;
    component.steps = [](const Plan& plan, auto& pipeline) {
        auto& operands = pipeline.operands;
        const bool normalizes = plan.algorithm().flag("normalize");
        pipeline.algorithm = [=, &plan, gamma_q = operands.vector("gamma_q"),
                              beta_q = operands.vector("beta_q"), gamma_k = operands.vector("gamma_k"),
                              beta_k = operands.vector("beta_k")](const auto& task, const Recorder& record) {
            Recurrence<double> mixer{rebased_kind(plan)};
            mixer.query = rebased_features(task.query, gamma_q, beta_q, normalizes);
            mixer.key = rebased_features(task.key, gamma_k, beta_k, normalizes);
            run_recurrence(plan, task, mixer, record);
        };
    };
    component.define = define_rebased;
    return component;
}

}  // namespace headlight
