#include "core/attention/scores/defined_scores.h"
#include "core/attention/scores/energy_parameters.h"
#include "core/attention/scores/energy_rows.h"
#include "core/attention/scores/history.h"
#include "core/attention/work.h"

#include <algorithm>

namespace headlight {
namespace {

template <class Real>
void add_coverage_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    Operands<Real>& operands = pipeline.operands;
    const auto rows = std::make_shared<EnergyRows<Real>>(plan, operands);
    const auto history = std::make_shared<History<Real>>(plan, operands, History<Real>::Kind::sum);
    project_energy_rows(plan, pipeline, rows);
    pipeline.score = [&plan, rows, history, w_c = operands.vector("w_c"),
                      &by = operands.arithmetic()](const ScoreRow<Real>& row, const Recorder& record) {
        static thread_local std::vector<Real> sides;
        const Index width = rows->width();
        const Real* seen = history->before(row);
        const Real* right = rows->right(row.head).data;
        sides.assign(right, right + row.size * width);
        for (Index key = 0; key < row.size; ++key)
            by.add_scaled(seen[key], w_c, plan.attention_width, sides.data() + key * width);
        rows->score(row, sides.data(), plan.spec.score.activation, record);
        record.write("coverage", (row.head * plan.queries + row.query) * plan.keys, seen, plan.keys);
    };
    pipeline.after_normalize.push_back([&plan, history](const ScoreRow<Real>& row, const Recorder& record) {
        Real loss = 0;
        for (Index key = 0; key < row.size; ++key)
            loss += std::min(row.values[key], history->of_head(row.head)[key]);
        record.write("coverage_loss", row.head * plan.queries + row.query, &loss, 1);
    });
}

/// The weights so far, as what they add to the energy of each key.
std::function<Expression(const RowsBefore&)> define_coverage_rows(Composer& composer) {
    const EnergyHalves halves = energy_halves(composer, composer.plan.spec.score.bias);
    const Expression v = composer.parameter("v");
    return [&composer, halves, v](const RowsBefore& before) {
        const Expression coverage =
            composer.let("coverage" + before.suffix, before.seen, "the weights of each key so far");
        const Expression more =
            composer.let("coverage_energy" + before.suffix, composer.projected(transposed(coverage), "w_c"),
                         "what the coverage adds to the energy");
        return define_energy_row(composer, halves, v, more, before);
    };
}

}  // namespace

ScoreComponent declare_scores_coverage() {
    ScoreComponent component;
    component.meaning = "v · act(q W_1 + k W_2 + c w_c + b), c the sum of the weights that the key had from "
                        "the queries before (Tu et al. 2016; See, Liu and Manning 2017, equation 11; b with "
                        "\"bias\")";
    component.compares_widths = false;
    component.known_parameters = {{"w_c", "[d_a]", "what a coverage of 1 adds to the energy"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        add_energy_parameters(plan, list);
        list.add("w_c", {plan.attention_width});
    };
    component.check = require_finished_rows;
    component.has_activation = true;
    component.attention_width = given_attention_width;
    component.stages = [](const Plan&, StageList& list) {
        list.add_map("coverage");
        list.add_column("coverage_loss");
    };
    component.multiply_adds = [](const Plan& plan) {
        return work_of_energies(plan) + work_of_pairs(plan, plan.attention_width);
    };
    component.is_ordered = true;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        StepMemory memory = energy_rows_memory(plan, needs);
        memory.kept += history_memory(plan, needs);
        memory.working =
            elements(plan.keys, kernels::packed_size<double>(1, plan.attention_width)) * needs.real;
        return memory;
    };
    component.declared_stages = {{"coverage", "Coverage"},
                                 made_stage("coverage_loss", "Coverage loss", {},
                                            {.said = "the sum of min(weight, coverage) over the keys"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_coverage_steps(plan, pipeline); };
    component.define_rows = define_coverage_rows;
    component.sees_sum = [](const Plan&) { return true; };
    return component;
}

}  // namespace headlight
