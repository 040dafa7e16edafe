#include "core/attention/arithmetic_text.h"
#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/explained_cell.h"
#include "core/attention/softmax_rows.h"
#include "core/kernels/power_sum.h"
#include "core/tensor/dot.h"
#include "core/tensor/interruption.h"

namespace headlight {
namespace {

Index steps_of(const Plan& plan) { return plan.algorithm().count("steps"); }

double beta_of(const Plan& plan) {
    const double beta = plan.algorithm().number("beta");
    return beta > 0 ? beta : plan.scale;
}

/// E = -lse(beta, K xi) + |xi|^2 / 2, without the constants of Ramsauer et al. 2021, equation 2. Each update
/// makes it smaller.
template <class Real>
double energy_of(const SoftmaxRows<Real>& rows, const Real* state, std::span<const Real> scores, Index width,
                 double beta) {
    const kernels::PowerSum powers = kernels::sum_of_powers(scores);
    if (std::isinf(powers.largest))
        return 0;  // no pattern to look for
    return static_cast<double>(rows.arithmetic().inner_product(state, state, width)) / 2 -
           powers.logarithm() / beta;
}

/// xi' = softmax(beta xi K^T) K, steps times; the last one reads the values in place of the keys (equation
/// 3).
template <class Real>
void run_hopfield(const Plan& plan, const HeadTask<Real>& task, const Recorder& record) {
    const Index m = plan.keys, width = plan.head_query_width(), steps = steps_of(plan);
    const double beta = beta_of(plan);
    const SoftmaxRows<Real> rows;
    std::vector<Real> scratch, state(static_cast<std::size_t>(width));
    for (Index i = 0; i < plan.queries; ++i) {
        std::copy_n(task.query.row(i), width, state.data());
        Real* row = weights_row(task, i, scratch);
        const Index at = task.head * plan.queries + i;
        for (Index step = 0; step < steps; ++step) {
            Interruption::check();
            rows.score_allowed(plan.allowed, i, state.data(), task.key, static_cast<Real>(beta), row);
            if (record) {
                const std::span<const Real> scores(row, static_cast<std::size_t>(m));
                const double energy = energy_of(rows, state.data(), scores, width, beta);
                record.write("states", (at * steps + step) * width, state.data(), width);
                record.write("energies", at * steps + step, &energy, 1);
            }
            if (step + 1 == steps)
                record.write("masked_scores", at * m, row, m);
            rows.softmax(row, m);
            if (step + 1 < steps)
                rows.mix(row, task.key, state.data());
        }
        rows.mix(row, task.value, task.context.row(i));
    }
}

/// beta xi . k for every key that counts, at one step.
std::vector<double> scores_at(const ExplainedCell& cell, Index step) {
    const Index width = cell.plan.head_query_width();
    const auto state =
        cell.row_of("states", cell.head, cell.row).subspan(static_cast<std::size_t>(step * width));
    std::vector<double> scores;
    for (Index key = 0; key < cell.plan.keys; ++key)
        if (cell.counts(key)) {
            const auto vector = cell.row_of(cell.compared_key(), cell.plan.kv_head(cell.head), key);
            scores.push_back(beta_of(cell.plan) * dot(state.data(), vector.data(), width));
        }
    return scores;
}

Arithmetic explain_hopfield_energy(const ExplainedCell& cell) {
    const std::vector<double> scores = scores_at(cell, cell.column);
    if (scores.empty())
        return "0, for the mask forbids every key";
    const double beta = beta_of(cell.plan);
    const double lse = kernels::sum_of_powers(std::span<const double>(scores)).logarithm() / beta;
    return "half the state’s length squared, less the log of the summed exponentials over β = " +
           minus(cell.here("energies") + lse, lse);
}

Arithmetic explain_hopfield(const ExplainedCell& cell, std::string_view stage) {
    return stage == "energies" ? explain_hopfield_energy(cell) : Arithmetic();
}

Expression define_hopfield(Composer& composer) {
    const double given = composer.plan.algorithm().number("beta");
    const Expression beta = given > 0 ? Expression(given) : 1 / root_of_head_width(composer);
    Expression state = composer.query;
    std::optional<Expression> weights;
    const Index steps = steps_of(composer.plan);
    for (Index step = 1; step <= steps; ++step) {
        Expression scores = composer.open_or_forbidden(product_transposed(state, composer.key) * beta);
        if (step == steps)
            scores = composer.let("masked_scores", scores, "of the last state");
        const bool is_last = step == steps;
        weights = normalized_of(composer, is_last ? "weights" : numbered("retrieval_", step), scores,
                                is_last ? "" : numbered("_of_step_", step), false, step - 1);
        if (step < steps)
            state =
                composer.let(numbered("state_", step), product(*weights, composer.key), "what was retrieved");
    }
    return write_attended_values(composer, *weights);
}

}  // namespace

AlgorithmComponent declare_algorithms_hopfield() {
    AlgorithmComponent component;
    component.meaning =
        "ξ′ = softmax(β ξ Kᵀ) K, again and again: a query falls into the pattern that it resembles; one "
        "step is attention (Ramsauer et al. 2021); with another normaliser in the place of the softmax, one "
        "of a sparser network (Hu et al. 2023)";
    component.options = {
        count_option("steps", "Steps", 3, {1, 50},
                     "How often the query is replaced by what it retrieves, the reading of the values "
                     "included; with 1 it is scaled dot-product attention."),
        number_option("beta", "Inverse temperature β", 0.0, {0, 100},
                      "What the products are multiplied by: small values blend patterns, large ones single "
                      "one out. 0: 1/√d.",
                      "automatic"),
    };
    component.takes_any_mask = true;
    component.takes_normalizer = true;
    component.stages = [](const Plan& plan, StageList& list) {
        list.add_map("masked_scores");
        if (!is_plain_softmax(plan.spec.normalizer))
            return;  // what the definition records
        const Index steps = steps_of(plan);
        list.add_vectors("states", Axis::query, steps * plan.head_query_width());
        list.add_vectors("energies", Axis::query, steps);
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return StepMemory{.working = elements(plan.keys + plan.head_query_width()) * needs.real};
    };
    component.declared_stages = {made_stage("states", "States", {},
                                            {.said = "the query, then what each update makes of it: the mean "
                                                     "of the keys under the weights of the state before"}),
                                 {"energies", "Energies"}};
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.algorithm = [&plan](const auto& task, const Recorder& record) {
            run_hopfield(plan, task, record);
        };
    };
    component.cost = [](const Plan& plan) -> AlgorithmCost {
        const double pairs = static_cast<double>(plan.allowed.count() * plan.heads);
        const double updates = static_cast<double>((2 * steps_of(plan) - 1) * plan.head_key_width());
        return {.multiply_adds = pairs * (updates + static_cast<double>(plan.head_value_width())),
                .map_numbers = static_cast<double>(plan.heads * plan.queries * plan.keys),
                .cache_numbers = static_cast<double>(plan.key_width + plan.value_width)};
    };
    component.define = define_hopfield;
    component.explain = explain_hopfield;
    return component;
}

}  // namespace headlight
