#include "core/attention/composer.h"
#include "core/attention/position_bias.h"
#include "core/attention/refusals.h"
#include "core/attention/sigmoid.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

void check_forgetting(const Plan& plan) {
    require_one_sequence(plan, "forgetting positions", "the gates stand between tokens of one sequence");
}

bool is_two_sided(const Plan& plan) { return plan.position().flag("two_sided"); }

/// The gates that hold back what stands before a query, and those of their own for what comes behind it.
struct GateNames {
    const char *matrix, *offset, *gates, *sums;
};
constexpr GateNames before_query{"W_f", "b_f", "forget_gates", "cumulative_gates"};
constexpr GateNames behind_query{"W_f_behind", "b_f_behind", "behind_gates", "cumulative_behind_gates"};

/// Running sums of log f, [h, m]: the bias of a pair is the difference of two.
template <class Real>
Storage<double> add_running_sums(const Plan& plan, Pipeline<Real>& pipeline, const GateNames& names) {
    const Storage<double> sums(plan.heads * plan.keys);
    const MatrixView<const Real> logits =
        pipeline.operands.projected(pipeline.operands.key_tokens(), names.matrix, names.offset);
    pipeline.prepare.push_back([sums, names, logits, keys = plan.keys](Index head, const Recorder& record) {
        double sum = 0;
        for (Index token = 0; token < keys; ++token) {
            const auto logit = static_cast<double>(logits(token, head));
            const double gate = sigmoid(logit);
            sum += log_sigmoid(logit);
            sums[static_cast<std::size_t>(head * keys + token)] = sum;
            record.write(names.gates, head * keys + token, &gate, 1);
            record.write(names.sums, head * keys + token, &sum, 1);
        }
    });
    return sums;
}

template <class Real>
void add_forgetting_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const Storage<double> before = add_running_sums(plan, pipeline, before_query);
    const Storage<double> behind =
        is_two_sided(plan) ? add_running_sums(plan, pipeline, behind_query) : before;
    add_position_bias(plan, pipeline,
                      [before, behind, keys = plan.keys](const ScoreRow<Real>& row, Real* numbers) {
                          const auto write = [&](const Storage<double>& sums, Index first, Index end) {
                              const double *of_head = sums.data() + row.head * keys, own = of_head[row.query];
                              for (Index key = first; key < end; ++key)
                                  numbers[key] = static_cast<Real>(-std::abs(own - of_head[key]));
                          };
                          const Index until_query = std::min(row.size, row.query + 1);
                          write(before, 0, until_query);
                          write(behind, until_query, row.size);
                      });
}

/// The logarithms of the gates between the two of each pair, added up: [h, n, n].
Expression write_gates_between(Composer& composer, const GateNames& names, const std::string& suffix = {}) {
    const Expression raw = composer.let("gate_numbers" + suffix,
                                        composer.projected(composer.key_tokens, names.matrix, names.offset));
    const Expression logs =
        composer.let("log_gates" + suffix, split_rows(transposed(log_sigmoid_of(raw)), composer.heads),
                     "ln of what each token keeps");
    const Expression sums = composer.let(names.sums, transposed(cumulative_sum(logs)));
    return -absolute_of(sums - transposed(sums));
}

Expression define_forgetting(Composer& composer, const Expression&) {
    const Expression before = write_gates_between(composer, before_query);
    if (!is_two_sided(composer.plan))
        return before;
    const Index n = composer.plan.queries;
    const Expression is_behind = composer.truth(
        "is_behind", {0, n, n}, "tokens behind the query", [](Index query, Index key) { return key > query; },
        "j > i");
    return choose(is_behind, write_gates_between(composer, behind_query, "_behind"), before);
}

}  // namespace

PositionComponent declare_positions_forgetting() {
    PositionComponent component;
    component.meaning =
        "s + Σ log f_t over the tokens after the key up to the query, f_t = sigmoid(x_t · w_f + b_f): "
        "each token decides how much of what came before is forgotten (Lin et al. 2025); of a key behind the "
        "query, the tokens after the query up to the key, whose gates may be others";
    component.options = {
        flag_option("two_sided", "Gates for both sides", false,
                    "Whether each token has a second gate, for keys behind the query; without it one gate "
                    "holds back both sides. It changes nothing where a mask hides what comes later.")};
    component.known_parameters = {
        {"W_f", "[d, h]", "projects a token vector to its forget gates, one for each head"},
        {"b_f", "[h]", "is added before their sigmoid"},
        {"W_f_behind", "[d, h]", "projects a token vector to its gates for what comes behind a query"},
        {"b_f_behind", "[h]", "is added to these gates before their sigmoid"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add_with_bias("W_f", {plan.tokens.key_width, plan.heads}, 2.0);
        if (!is_two_sided(plan))
            return;
        list.add_with_bias("W_f_behind", {plan.tokens.key_width, plan.heads}, 2.0);
    };
    component.check = check_forgetting;
    component.has_bias = true;
    component.stages = [](const Plan& plan, StageList& list) {
        const auto add = [&](const GateNames& names) {
            for (const char* stage : {names.gates, names.sums})
                list.add(stage, {Axis::head, Axis::key}, {plan.heads, plan.keys});
        };
        add(before_query);
        if (is_two_sided(plan))
            add(behind_query);
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        const double of_each = needs.real + sizeof(double);  // its number, and the sum up to there
        return StepMemory{.kept = elements(plan.heads, plan.keys, is_two_sided(plan) ? 2 : 1) * of_each};
    };
    component.declared_stages = {
        made_stage("forget_gates", "Forget gates", {},
                   {.is_share = true, .said = "sigmoid(x · w_f + b_f) of this token"}),
        {"cumulative_gates", "Running sums of log gates"},
        made_stage("behind_gates", "Gates for what comes behind", {},
                   {.lights = "position_bias",
                    .is_share = true,
                    .said = "sigmoid(x · w + b) of this token, for keys behind the query"}),
        made_stage("cumulative_behind_gates", "Running sums of log gates for what comes behind", {},
                   {.lights = "position_bias"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_forgetting_steps(plan, pipeline); };
    component.define_bias = define_forgetting;
    return component;
}

}  // namespace headlight
