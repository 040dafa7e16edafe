#include "core/attention/scores/defined_scores.h"
#include "core/attention/scores/energy_parameters.h"
#include "core/attention/scores/energy_rows.h"
#include "core/attention/vector_length.h"

#include <algorithm>

namespace headlight {
namespace {

/// v / |v|; zeros stay zeros.
std::vector<double> direction(const Tensor& v) {
    std::vector<double> unit(static_cast<std::size_t>(v.size()));
    write_direction(v.data(), v.size(), unit.data());
    return unit;
}

template <class Real>
void add_normalized_additive_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    Operands<Real>& operands = pipeline.operands;
    const auto rows = std::make_shared<EnergyRows<Real>>(plan, operands);
    std::ranges::transform(direction(plan.parameter("v")), rows->weights(),
                           [](double number) { return static_cast<Real>(number); });
    pipeline.prepare.push_back([rows, for_query = operands.matrix("W_1"), for_key = operands.matrix("W_2"),
                                bias = operands.vector("b")](Index head, const Recorder&) {
        rows->project(head, for_query, bias, for_key);
    });
    const Activation activation = plan.spec.score.activation;
    pipeline.score = [rows, activation](const ScoreRow<Real>& row, const Recorder& record) {
        rows->score(row, activation, record);
    };
}

Expression define_normalized_additive_scores(Composer& composer) {
    return sum_of_pairs(
        direction_of(composer, "v", composer.parameter("v")) *
        activated(composer.plan.spec.score.activation, sum_of_halves(energy_halves(composer, true))));
}

}  // namespace

ScoreComponent declare_scores_normalized_additive() {
    ScoreComponent component;
    component.meaning = "g (v / |v|) · act(q W_1 + k W_2 + b): the direction of v and its size are two "
                        "parameters (weight normalisation, Salimans and Kingma 2016)";
    component.compares_widths = false;
    component.known_parameters = {{"v", "[d_a]", "weighs the energy by its direction alone"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index d_a = plan.attention_width;
        list.add("W_1", {plan.head_query_width(), d_a});
        list.add("W_2", {plan.head_key_width(), d_a});
        list.add("b", {d_a}, 0.0);
        list.add("v", {d_a});
        list.add("g", {1}, std::sqrt(1 / static_cast<double>(d_a)));
    };
    component.has_activation = true;
    component.attention_width = given_attention_width;
    component.scale = [](const Plan& plan) { return plan.parameter("g")[0]; };
    component.memory = energy_rows_memory;
    component.steps = [](const Plan& plan, auto& pipeline) { add_normalized_additive_steps(plan, pipeline); };
    component.declared_stages = {made_stage("scores", "Scores", {"", {{"energy"}}, "· v ÷ |v|\n="})};
    component.define = define_normalized_additive_scores;
    component.define_scale = define_learned_scale;
    return component;
}

}  // namespace headlight
