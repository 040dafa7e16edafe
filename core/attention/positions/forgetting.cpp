#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/attention/position_bias.h"
#include "core/attention/refusals.h"
#include "core/attention/sigmoid.h"
#include "core/tensor/interruption.h"

#include <cmath>

namespace headlight {
namespace {

void check_forgetting(const Plan& plan) {
    require_one_sequence(plan, "forgetting positions", "the gates stand between tokens of one sequence");
}

/// Running sums of log f, [h, m]: the bias of a pair is the difference of two.
template <class Real>
void add_forgetting_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const Tensor& matrix = plan.parameter("W_f");
    const Tensor& offset = plan.parameter("b_f");
    const Storage<double> sums(plan.heads * plan.keys);
    pipeline.prepare.push_back(
        [sums, &plan, &pipeline, &matrix, &offset](Index head, const Recorder& record) {
            const MatrixView<const Real> tokens = pipeline.operands.key_tokens();
            double sum = 0;
            for (Index token = 0; token < plan.keys; ++token) {
                Interruption::check();
                double logit = offset[head];
                for (Index f = 0; f < matrix.rows(); ++f)
                    logit += static_cast<double>(tokens.row(token)[f]) * matrix(f, head);
                const double gate = sigmoid(logit);
                sum += log_sigmoid(logit);
                sums[static_cast<std::size_t>(head * plan.keys + token)] = sum;
                record.write("forget_gates", head * plan.keys + token, &gate, 1);
                record.write("cumulative_gates", head * plan.keys + token, &sum, 1);
            }
        });
    add_position_bias(plan, pipeline, [sums, keys = plan.keys](const ScoreRow<Real>& row, Real* numbers) {
        const double* sum = sums.data() + row.head * keys;
        for (Index key = 0; key < row.size; ++key)
            numbers[key] = static_cast<Real>(-std::abs(sum[row.query] - sum[key]));
    });
}

Expression define_forgetting(Composer& composer, const Expression&) {
    const Expression raw =
        composer.let("gate_numbers", composer.projected(composer.key_tokens, "W_f", "b_f"));
    const Expression logs =
        composer.let("log_gates", split_rows(transposed(log_sigmoid_of(raw)), composer.heads),
                     "ln of what each token keeps");
    const Expression sums = composer.let("cumulative_gates", transposed(cumulative_sum(logs)));
    return -absolute_of(sums - transposed(sums));
}

}  // namespace

PositionComponent declare_positions_forgetting() {
    PositionComponent component;
    component.meaning =
        "s + Σ log f_t over the tokens after the key up to the query, f_t = sigmoid(x_t · w_f + b_f): "
        "each token decides how much of what came before is forgotten (Lin et al. 2025)";
    component.known_parameters = {
        {"W_f", {}, "[d, h]: projects a token vector to its forget gates, one for each head"},
        {"b_f", {}, "[h]: is added before their sigmoid"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_f", {plan.tokens.key_width, plan.heads}, "projects a token vector to its forget gates");
        list.add("b_f", {plan.heads}, "is added before their sigmoid", 2.0);
    };
    component.check = check_forgetting;
    component.has_bias = true;
    component.stages = [](const Plan& plan, StageList& list) {
        for (const char* stage : {"forget_gates", "cumulative_gates"})
            list.add(stage, {Axis::head, Axis::key}, {plan.heads, plan.keys});
    };
    component.copies_parameters = false;
    component.memory = [](const Plan& plan, const RunNeeds&) {
        return StepMemory{.kept = elements(plan.heads, plan.keys, sizeof(double))};
    };
    component.declared_stages = {{.name = "forget_gates",
                                  .title = "Forget gates",
                                  .is_share = true,
                                  .said = "sigmoid(x · w_f + b_f) of this token"},
                                 {"cumulative_gates", "Running sums of log gates"}};
    component.steps = [](const Plan& plan, auto& pipeline) { add_forgetting_steps(plan, pipeline); };
    component.define_bias = define_forgetting;
    return component;
}

}  // namespace headlight
