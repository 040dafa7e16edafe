#include "core/attention/algorithms/feature_map.h"
#include "core/kernels/arithmetic.h"
#include "core/kernels/kernels.h"
#include "core/tensor/interruption.h"

namespace headlight {
namespace {

double energy_gate_lambda(const Plan& plan) { return plan.algorithm().number("lambda"); }

/// What sums of squares over the places are divided by: one less than there are, and one for a single place.
double freedom(const Plan& plan) { return static_cast<double>(std::max<Index>(1, plan.queries - 1)); }

template <class Real>
void run_energy_gate(const Plan& plan, double lambda, const HeadTask<Real>& task, const Recorder& record) {
    const Index channels = plan.head_query_width();
    const std::vector<double> means = squeezed(task.query, Pool::mean);
    std::vector<double> distances(means.size()), variances(means.size());
    const auto take_distances = [&](Index place) {
        std::transform(task.query.row(place), task.query.row(place) + channels, means.begin(),
                       distances.begin(),
                       [](Real number, double mean) { return static_cast<double>(number) - mean; });
    };
    const auto& by = kernels::chosen_arithmetic<double>();
    for (Index place = 0; place < plan.queries; ++place) {
        Interruption::check();
        take_distances(place);
        by.add_products(distances.data(), distances.data(), channels, variances.data());
    }
    for (double& variance : variances)
        variance /= freedom(plan);
    record.write("squeeze", task.head * channels, means.data(), channels);
    record.write("variances", task.head * channels, variances.data(), channels);

    std::vector<double> open(means.size());
    std::vector<Real> gates(means.size()), mean_gates;
    const auto& kernels = kernels::table<double>(kernels::chosen_level());
    for (Index place = 0; place < plan.queries; ++place) {
        Interruption::check();
        take_distances(place);
        // Yang et al. 2021, equation 5, turned over: how far a number stands out from its channel.
        std::transform(distances.begin(), distances.end(), variances.begin(), open.begin(),
                       [lambda](double distance, double variance) {
                           return distance * distance / (4 * (variance + lambda)) + 0.5;
                       });
        kernels.activate(Activation::sigmoid, open.data(), channels);
        std::transform(open.begin(), open.end(), gates.begin(),
                       [](double gate) { return static_cast<Real>(gate); });
        std::transform(gates.begin(), gates.end(), task.query.row(place), task.context.row(place),
                       std::multiplies());
        record.write("feature_gates", (task.head * plan.queries + place) * channels, gates.data(), channels);
        mean_gates.push_back(mean_of(gates));
    }
    write_diagonal(plan, task, [&](Index place) { return mean_gates[static_cast<std::size_t>(place)]; });
}

Expression define_energy_gate(Composer& composer) {
    const double lambda = energy_gate_lambda(composer.plan);
    const Expression mean = write_squeeze(composer);
    const Expression centred = composer.let("centred", composer.query - mean);
    const Expression variance =
        composer.let("variances", sum_of_rows(centred * centred) / freedom(composer.plan),
                     "of each channel, without bias");
    const Expression gates =
        composer.let("feature_gates", sigmoid_of(centred * centred / (4 * (variance + lambda)) + 0.5),
                     "how much each number stands out");
    write_gates_as_weights(composer, gates);
    return composer.let("context", composer.query * gates, "every number times its gate");
}

}  // namespace

AlgorithmComponent declare_algorithms_energy_gate() {
    AlgorithmComponent component;
    component.meaning =
        "o = x ∘ σ((x − μ)² / (4 (σ² + λ)) + ½), with the mean and the variance of each channel over all "
        "places: a gate for every number and nothing learned (Yang et al. 2021, SimAM); the weights shown "
        "are a diagonal, the mean gate";
    component.options = {
        number_option("lambda", "λ", 1e-4, logarithmic_range(1e-8, 100),
                      "Is added to the variances; a large one makes all gates alike, σ(½) = 0.62.")};
    component.check = [](const Plan& plan) { check_feature_map(plan, "energy_gate algorithm"); };
    component.makes_keys_and_values = true;
    component.stages = [](const Plan& plan, StageList& list) {
        using enum Axis;
        for (const char* name : {"squeeze", "variances"})
            list.add(name, {head, feature, feature}, {plan.heads, 1, plan.head_query_width()});
        list.add_vectors("feature_gates", query, plan.head_query_width());
    };
    component.memory = [](const Plan& plan, const RunNeeds&) {
        return StepMemory{.working = elements(5 * plan.head_query_width() + plan.queries, sizeof(double))};
    };
    component.declared_stages = {
        {"squeeze", "Channels, squeezed"},
        {"variances", "Variances of the channels"},
        made_stage("feature_gates", "Gates of the features", {}, {.is_share = true})};
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.algorithm = [&plan, lambda = energy_gate_lambda(plan)](const auto& task,
                                                                        const Recorder& record) {
            run_energy_gate(plan, lambda, task, record);
        };
    };
    component.cost = [](const Plan& plan) -> AlgorithmCost {
        return {.multiply_adds = 5 * static_cast<double>(plan.queries * plan.query_width),
                .map_numbers = static_cast<double>(2 * plan.query_width),
                .cache_numbers = static_cast<double>(plan.query_width)};
    };
    component.define = define_energy_gate;
    return component;
}

}  // namespace headlight
