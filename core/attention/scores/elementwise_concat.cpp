#include "core/attention/scores/defined_scores.h"
#include "core/attention/scores/elementwise.h"
#include "core/attention/work.h"

namespace headlight {
namespace {

Expression define_elementwise_concat_scores(Composer& composer) {
    const Expression s = composer.parameter("s");
    const EnergyHalves halves{
        composer.let("query_energy", s * composer.query, "the query’s part of the energy"),
        composer.let("key_energy", s * composer.key, "the key’s part of the energy")};
    return sum_of_pairs(activated(composer.plan.spec.score.activation, sum_of_halves(halves)));
}

}  // namespace

ScoreComponent declare_scores_elementwise_concat() {
    ScoreComponent component;
    component.meaning =
        "g Σ act(s (q + k)) over the features, with two numbers to learn (the Attention layer "
        "of Keras with score_mode \"concat\", which adds although its name says otherwise)";
    component.known_parameters = {{"s", "one number", "scales query and key before they are added"}};
    component.parameters = [](const Plan&, ParameterList& list) {
        list.add("s", {1}, 1.0);
        list.add("g", {1}, 1.0);
    };
    component.has_activation = true;
    component.attention_width = [](const Plan& plan) { return plan.head_key_width(); };
    component.scale = [](const Plan& plan) { return plan.parameter("g")[0]; };
    component.multiply_adds = [](const Plan& plan) { return work_of_pairs(plan, plan.attention_width); };
    component.memory = energy_rows_memory;
    component.steps = [](const Plan& plan, auto& pipeline) {
        using Real = std::remove_cvref_t<decltype(*pipeline.operands.vector("s"))>;
        score_sums<Real>(plan, pipeline, static_cast<Real>(plan.parameter("s")[0]), nullptr);
    };
    component.declared_stages = {made_stage("scores", "Scores", {"", {{"energy"}}, "Σ\n="})};
    component.define = define_elementwise_concat_scores;
    component.define_scale = define_learned_scale;
    return component;
}

}  // namespace headlight
