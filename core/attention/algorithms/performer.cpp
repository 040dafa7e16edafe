#include "core/attention/algorithms/performer.h"

#include "core/attention/defined_algorithms.h"
#include "core/attention/recurrence.h"
#include "core/kernels/arithmetic.h"
#include "core/tensor/dot.h"
#include "core/tensor/interruption.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

Index feature_count(const Plan& plan) { return plan.algorithm().count("features"); }

/// One gate: what the running maximum of the keys' exponents takes from those before.
RecurrenceKind performer_kind(const Plan& plan) {
    return {.features = feature_count(plan),
            .gates = 1,
            .products = feature_count(plan) * plan.head_query_width(),
            .divisor = Divisor::sum,
            .is_positive = true,
            .shows_features = true,
            .shows_gates = false};
}

/// w . x - |x|^2 / 2 of every direction, x the vector over the fourth root of d: the exponents of the
/// positive features (Choromanski et al. 2021, lemma 1). Their largest.
template <class Real>
double exponents(const kernels::Arithmetic<double>& by, const std::vector<double>& directions,
                 const Real* vector, Index width, double* out) {
    const double shrink = std::pow(static_cast<double>(width), -0.25);
    thread_local std::vector<double> x;
    x.assign(vector, vector + width);
    for (double& each : x)
        each *= shrink;
    const double half_square = by.inner_product(x.data(), x.data(), width) / 2;
    const Index rows = std::ssize(directions) / width;
    for (Index row = 0; row < rows; ++row)
        out[row] = by.inner_product(directions.data() + row * width, x.data(), width) - half_square;
    return *std::max_element(out, out + rows);
}

/// The exponents of all keys of one head, and the largest up to each.
struct KeyExponents {
    std::vector<double> values;   ///< [m, r]
    std::vector<double> maximum;  ///< [m]
};

template <class Real>
void run_performer(const Plan& plan, const std::vector<double>& directions, const HeadTask<Real>& task,
                   const Recorder& record) {
    const Index width = plan.head_query_width(), r = feature_count(plan);
    const auto& by = kernels::chosen_arithmetic<double>();
    KeyExponents keys{std::vector<double>(static_cast<std::size_t>(plan.keys * r)), {}};
    keys.maximum.reserve(static_cast<std::size_t>(plan.keys));
    for (Index key = 0; key < plan.keys; ++key) {
        Interruption::check();
        const double largest =
            exponents(by, directions, task.key.row(key), width, keys.values.data() + key * r);
        keys.maximum.push_back(key == 0 ? largest : std::max(largest, keys.maximum.back()));
    }
    Recurrence<Real> mixer{performer_kind(plan)};
    const auto& arithmetic = kernels::chosen_arithmetic<Real>();
    // Whatever is taken from all exponents of a row, or of all keys, cancels between numerator and divisor.
    mixer.query = [&, logs = std::vector<double>(static_cast<std::size_t>(r))](Index query,
                                                                               Real* out) mutable {
        const double largest = exponents(by, directions, task.query.row(query), width, logs.data());
        for (Index i = 0; i < r; ++i)
            out[i] = static_cast<Real>(logs[static_cast<std::size_t>(i)] - largest);
        arithmetic.exponential(out, r, out);
    };
    mixer.key = [&](Index key, Real* out) {
        for (Index i = 0; i < r; ++i)
            out[i] = static_cast<Real>(keys.values[static_cast<std::size_t>(key * r + i)] -
                                       keys.maximum[static_cast<std::size_t>(key)]);
        arithmetic.exponential(out, r, out);
    };
    mixer.log_gate = [&](Index key, Real* out) {
        const auto at = static_cast<std::size_t>(key);
        *out = static_cast<Real>(key == 0 ? 0.0 : keys.maximum[at - 1] - keys.maximum[at]);
    };
    run_recurrence(plan, task, mixer, record);
}

/// exp(w · x − |x|² / 2) of random directions w, x over the fourth root of its width.
Expression define_performer(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index features = feature_count(plan);
    const Index width = plan.head_query_width();
    const Expression directions = composer.constant(
        "directions", {0, features, width}, "random directions",
        [width, drawn = performer_directions(plan.seed, features, width)](Index, Index row, Index column) {
            return drawn[static_cast<std::size_t>(row * width + column)];
        });
    const double root = std::sqrt(std::sqrt(static_cast<double>(width)));
    const auto exponents = [&](const std::string& name, const Expression& x) {
        const Expression scaled = composer.let(name + "_over_root", x / root);
        return composer.let(name + "_exponents",
                            product_transposed(scaled, directions) - sum_of_columns(scaled * scaled) / 2,
                            "w · x − |x|² / 2 of each direction");
    };
    // What is taken off is the same in every sum that is divided by.
    const Expression of_query = exponents("query", composer.query), of_key = exponents("key", composer.key);
    const Expression q = composer.let(recorded_as(composer, "query_features", "query_exponentials"),
                                      exp_of(of_query - maximum_of_columns(of_query)));
    constexpr double smaller_than_all = -1e300;  // minus infinity less itself would be no number
    const Expression of_seen = of_seen_keys(composer, of_key, smaller_than_all);
    const Expression largest = composer.let("key_largest", maximum_of_rows(maximum_of_columns(of_seen)));
    const Expression k =
        composer.let(recorded_as(composer, "key_features", "key_exponentials"), exp_of(of_seen - largest));
    return write_shares(composer, product_transposed(q, k),
                        recorded_as(composer, "similarities", "kernel_values"),
                        recorded_as(composer, "row_sum", "kernel_sum"));
}

}  // namespace

std::vector<double> performer_directions(std::uint64_t seed, Index rows, Index width) {
    const std::uint64_t stream = substream(seed, "random_features");
    std::vector<double> all(static_cast<std::size_t>(rows * width));
    for (Index row = 0; row < rows; ++row) {
        Interruption::check();
        double* made = all.data() + row * width;
        for (Index c = 0; c < width; ++c)
            made[c] = standard_normal(stream, static_cast<std::uint64_t>(row * width + c));
        const double length = std::sqrt(dot(made, made, width));
        for (Index before = row / width * width; before < row; ++before) {
            const double* other = all.data() + before * width;
            const double share = dot(made, other, width) / dot(other, other, width);
            for (Index c = 0; c < width; ++c)
                made[c] -= share * other[c];
        }
        const double left = std::sqrt(dot(made, made, width));
        for (Index c = 0; c < width; ++c)
            made[c] *= length / left;
    }
    return all;
}

AlgorithmComponent declare_algorithms_performer() {
    AlgorithmComponent component;
    component.meaning =
        "A ∝ φ(q) · φ(k), φ(x) = exp(w · x − |x|²/2) for random orthogonal w: equals exp(q · k / √d) "
        "on average (Choromanski et al. 2021)";
    component.options = {count_option("features", "Random features", 32, logarithmic_range(1, 4096),
                                      "How many random directions the exponential is estimated from; the "
                                      "error falls with the square root of their number.")};
    declare_recurrence<performer_kind>(component);
    component.takes_any_mask = true;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        StepMemory memory = recurrence_memory(plan, performer_kind(plan), needs, needs.real);
        memory.kept = elements(feature_count(plan), plan.head_query_width(), sizeof(double));
        memory.working += elements(plan.keys, feature_count(plan) + 1, sizeof(double));
        return memory;
    };
    component.declared_stages = declared_shifted_recurrence_stages();
    component.declared_stages.push_back(
        made_stage("row_sum", "Row sum", {},
                   {.lights = "weights",
                    .role = StageRole::row,
                    .said = "sum of the weights of this row before it is divided"}));
    component.implies_shares = true;
    component.steps = [](const Plan& plan, auto& pipeline) {
        const auto drawn = std::make_shared<const std::vector<double>>(
            performer_directions(plan.seed, feature_count(plan), plan.head_query_width()));
        pipeline.algorithm = [&plan, drawn](const auto& task, const Recorder& record) {
            run_performer(plan, *drawn, task, record);
        };
    };
    component.define = define_performer;
    return component;
}

}  // namespace headlight
