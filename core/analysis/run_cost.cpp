#include "core/analysis/run_cost.h"

#include "core/attention/component.h"
#include "core/attention/trace_program.h"
#include "core/attention/widths.h"
#include "core/attention/work.h"
#include "core/graph/graph_cost.h"

#include <algorithm>

namespace headlight {
namespace {

double projections(const Plan& plan) {
    const Index query_tokens = plan.inputs.query.cols(), key_tokens = plan.inputs.key_tokens().cols();
    double total = 0;
    if (projects_queries(plan.spec))
        total += work({plan.queries, query_tokens, plan.query_width});
    if (projects_queries(plan.spec) && !makes_keys_and_values(plan.spec))
        total += work({plan.keys, key_tokens, plan.key_width});
    if (projects_values(plan.spec) && !makes_keys_and_values(plan.spec))
        total += work({plan.keys, plan.inputs.value_tokens().cols(), plan.value_width});
    if (projects_output(plan.spec))
        total += work({plan.queries, plan.context_width(), plan.output_width});
    return total;
}

double scores(const Plan& plan) {
    const ScoreComponent* score = component_of(plan.spec.score.type);
    if (score && score->multiply_adds)
        return score->multiply_adds(plan);
    if (plan.attention_width > 0)
        return work_of_energies(plan);
    if (plan.spec.score.type == ScoreType::general)  // q W once for each query
        return work({plan.heads, plan.queries, plan.head_query_width(), plan.head_key_width()}) +
               work_of_pairs(plan, plan.head_key_width());
    return work_of_pairs(plan, plan.head_query_width());
}

/// What heads do beside: mixing one another's maps before and after the softmax, gates on their contexts.
double heads(const Plan& plan) {
    double total = 0;
    if (plan.spec.heads.type == HeadsType::talking)
        total += 2 * work({plan.heads, plan.heads, plan.queries, plan.keys});
    if (plan.spec.heads.gate != Gate::none) {
        const Index gates = plan.spec.heads.gate == Gate::headwise ? plan.heads : plan.context_width();
        total +=
            work({plan.queries, plan.tokens.query_width, gates}) + work({plan.queries, plan.context_width()});
    }
    return total;
}

/// Scores, and what the weights take of the values.
double parts(const Plan& plan) { return scores(plan) + work_of_pairs(plan, plan.head_value_width()); }

/// Returns, for an algorithm whose run is that of its definition, what the products of its program take
/// beside the parts that it leaves, a map at once, and keys and values of each token.
AlgorithmCost cost_of_definition(const Plan& plan) {
    const double counted_apart = projections(plan) + heads(plan) + (is_composed(plan.spec) ? parts(plan) : 0);
    return {.multiply_adds = std::max(0.0, multiply_adds_of(outline_of(plan)) - counted_apart),
            .map_numbers = work({plan.heads, plan.queries, plan.keys}),
            .cache_numbers = static_cast<double>(plan.key_width + plan.value_width)};
}

AlgorithmCost cost_of(const AlgorithmComponent& algorithm, const Plan& plan) {
    const bool keeps_states = steps_know_mask(algorithm, plan.spec) || algorithm.takes_documents;
    if (!keeps_states)
        return cost_of_definition(plan);
    if (algorithm.cost)
        return algorithm.cost(plan);
    return algorithm.steps ? AlgorithmCost() : cost_of_definition(plan);
}

}  // namespace

RunCost run_cost(const Plan& plan) {
    constexpr double number = sizeof(float);
    RunCost cost;
    cost.multiply_adds = projections(plan) + heads(plan);
    const AlgorithmComponent* algorithm = component_of(plan.spec.algorithm.type);
    const AlgorithmCost own = algorithm ? cost_of(*algorithm, plan) : AlgorithmCost();
    cost.multiply_adds += own.multiply_adds;
    if (!is_composed(plan.spec)) {
        cost.map_bytes = own.map_numbers * number;
        cost.cache_bytes = own.cache_numbers * number;
        cost.state_bytes = own.state_numbers * number;
        return cost;
    }
    cost.multiply_adds += parts(plan);
    cost.map_bytes = work({plan.heads, plan.queries, plan.keys}) * number;
    const Index shared = plan.spec.heads.sharing == Sharing::key_value ? 0 : plan.value_width;
    cost.cache_bytes = static_cast<double>(plan.key_width + shared) * number;
    return cost;
}

}  // namespace headlight
