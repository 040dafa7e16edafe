#include "core/attention/scores/defined_scores.h"
#include "core/attention/scores/energy_parameters.h"
#include "core/attention/scores/energy_rows.h"

namespace headlight {
namespace {

double dynamic_graph_slope(const Plan& plan) { return plan.score().number("slope"); }

/// The energies of one row: the kernels know no LeakyReLU.
template <class Real>
void record_energies(const Plan& plan, EnergyRows<Real>& rows, const ScoreRow<Real>& row, Real slope,
                     const Recorder& record) {
    if (record.stage("energy").empty())
        return;
    const Index d_a = plan.attention_width;
    const Real* left = rows.left(row.head).row(row.query);
    std::vector<Real> energy(static_cast<std::size_t>(d_a));
    for (Index key = 0; key < row.size; ++key) {
        const Real* right = rows.right(row.head).row(key);
        for (Index a = 0; a < d_a; ++a) {
            const Real sum = left[a] + right[a];
            energy[static_cast<std::size_t>(a)] = sum > 0 ? sum : slope * sum;
        }
        record.write("energy", ((row.head * plan.queries + row.query) * plan.keys + key) * d_a, energy.data(),
                     d_a);
    }
}

/// LeakyReLU(x) = a x + (1 - a) max(0, x) with the slope a: two scores that the kernels know.
template <class Real>
void add_dynamic_graph_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const auto rows = std::make_shared<EnergyRows<Real>>(plan, pipeline.operands);
    project_energy_rows(plan, pipeline, rows);
    const Real slope = static_cast<Real>(dynamic_graph_slope(plan));
    pipeline.score = [&plan, rows, slope](const ScoreRow<Real>& row, const Recorder& record) {
        static thread_local std::vector<Real> straight;
        rows->score(row, Activation::identity, Recorder());
        straight.assign(row.values, row.values + row.size);
        rows->score(row, Activation::relu, Recorder());
        for (Index key = 0; key < row.size; ++key)
            row.values[key] = slope * straight[static_cast<std::size_t>(key)] + (1 - slope) * row.values[key];
        record_energies(plan, *rows, row, slope, record);
    };
}

Expression define_dynamic_graph_scores(Composer& composer) {
    const Expression energy = sum_of_halves(energy_halves(composer, composer.plan.spec.score.bias));
    return sum_of_pairs(composer.parameter("v") * leaky_relu_of(energy, dynamic_graph_slope(composer.plan)));
}

}  // namespace

ScoreComponent declare_scores_dynamic_graph() {
    ScoreComponent component;
    component.meaning =
        "v · LeakyReLU(q W_1 + k W_2 + b): the order of the graph score’s two steps is turned round, so that "
        "queries can prefer different keys (Brody, Alon and Yahav 2022, equation 7; b with \"bias\")";
    component.compares_widths = false;
    component.options = {
        number_option("slope", "Slope below zero", 0.2, {0, 1},
                      "What negative energies are multiplied by: 0 is the additive score with ReLU, 1 leaves "
                      "a linear score."),
    };
    component.parameters = add_energy_parameters;
    component.attention_width = given_attention_width;
    component.memory = energy_rows_memory;
    component.steps = [](const Plan& plan, auto& pipeline) { add_dynamic_graph_steps(plan, pipeline); };
    component.define = define_dynamic_graph_scores;
    return component;
}

}  // namespace headlight
