#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/attention/pipeline.h"
#include "core/attention/work.h"
#include "core/kernels/multiply_in_parts.h"

namespace headlight {
namespace {

/// Hidden units: as the spec says, else as a given W_1 has, else the query's width.
Index units(const Plan& plan, const Tensor* given) {
    if (plan.spec.score.attention_dimension)
        return *plan.spec.score.attention_dimension;
    return given && given->rank() == 2 ? given->cols() : plan.head_query_width();
}

Index hidden_units(const Plan& plan) {
    const auto given = plan.inputs.parameters.find("W_1");
    return units(plan, given == plan.inputs.parameters.end() ? nullptr : &given->second);
}

template <class Real>
void add_dense_synthesizer_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    Operands<Real>& operands = pipeline.operands;
    const Index hidden_units = plan.parameter("W_1").cols(), n = plan.queries;
    Real* hidden = operands.allocate(plan.heads * n * hidden_units);
    pipeline.prepare.push_back(
        [&operands, hidden, hidden_units, n, first = operands.matrix("W_1"),
         bias = operands.vector("b", plan.spec.score.bias)](Index head, const Recorder& record) {
            const MatrixView<const Real> query = operands.compared_query(head);
            Real* out = hidden + head * n * hidden_units;
            multiply_in_parts(
                operands.table(),
                {.left = query, .right = first, .bias = bias, .out = row_major(out, n, hidden_units)});
            for (Index i = 0; i < n * hidden_units; ++i)
                out[i] = std::max(out[i], Real(0));
            record.write("hidden", head * n * hidden_units, out, n * hidden_units);
        });
    pipeline.score = [&operands, hidden, hidden_units, n,
                      slots = operands.matrix("W_slots")](const ScoreRow<Real>& row, const Recorder&) {
        const Real* of_query = hidden + (row.head * n + row.query) * hidden_units;
        operands.table().multiply({.left = row_major(of_query, 1, hidden_units),
                                   .right = slots,
                                   .out = row_major(row.values, 1, row.size)});
    };
}

Expression define_dense_synthesizer_scores(Composer& composer) {
    const Expression inside = composer.projected(composer.query, "W_1");
    const Expression hidden = composer.let(
        "hidden", relu_of(composer.plan.spec.score.bias ? inside + composer.parameter("b") : inside));
    return composer.projected(hidden, "W_slots");
}

}  // namespace

ScoreComponent declare_scores_dense_synthesizer() {
    ScoreComponent component;
    component.meaning = "max(0, q W_1 + b) W_slots: each token writes its own row of scores and no pair is "
                        "ever compared (Tay et al. 2021, section 3; b with \"bias\")";
    component.compares_widths = false;
    component.known_parameters = {
        {"W_1", "[d_q, d_a] per head, shared by the heads", "projects a query to the hidden layer"},
        {"b", "[d_a]", "is added to the hidden layer before it is cut off at 0"},
        {"W_slots", "[d_a, m] per head, shared by the heads",
         "turns the hidden layer into a score for each place that a key can have"},
    };
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index hidden = units(plan, list.given("W_1"));
        list.add("W_1", {plan.head_query_width(), hidden});
        if (plan.spec.score.bias)
            list.add("b", {hidden});
        list.add("W_slots", {hidden, plan.keys});
    };
    component.stages = [](const Plan& plan, StageList& list) {
        list.add_vectors("hidden", Axis::query, hidden_units(plan));
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return StepMemory{.kept = elements(plan.heads, plan.queries, hidden_units(plan)) * needs.real};
    };
    component.multiply_adds = [](const Plan& plan) {
        const Index hidden = plan.parameter("W_1").cols();
        return work({plan.heads, plan.queries, plan.head_query_width(), hidden}) +
               work_of_pairs(plan, hidden);
    };
    component.declared_stages = {{"hidden", "Hidden layer"}};
    component.steps = [](const Plan& plan, auto& pipeline) { add_dense_synthesizer_steps(plan, pipeline); };
    component.define = define_dense_synthesizer_scores;
    return component;
}

}  // namespace headlight
