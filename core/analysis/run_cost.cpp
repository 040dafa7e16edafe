#include "core/analysis/run_cost.h"

#include "core/attention/component.h"
#include "core/attention/widths.h"

namespace headlight {
namespace {

double product(std::initializer_list<Index> extents) {
    double result = 1;
    for (const Index extent : extents)
        result *= static_cast<double>(extent);
    return result;
}

double projections(const Plan& plan) {
    const Index query_tokens = plan.inputs.query.cols(), key_tokens = plan.inputs.key_tokens().cols();
    double total = 0;
    if (projects_queries(plan.spec))
        total += product({plan.queries, query_tokens, plan.query_width});
    if (projects_queries(plan.spec) && !makes_keys_and_values(plan.spec))
        total += product({plan.keys, key_tokens, plan.key_width});
    if (projects_values(plan.spec) && !makes_keys_and_values(plan.spec))
        total += product({plan.keys, plan.inputs.value_tokens().cols(), plan.value_width});
    if (projects_output(plan.spec))
        total += product({plan.queries, plan.context_width(), plan.output_width});
    return total;
}

/// Between projections and output, all pairs that the mask allows.
double composed(const Plan& plan) {
    const auto pairs = static_cast<double>(plan.allowed.count() * plan.heads);
    const ScoreComponent* score = component_of(plan.spec.score.type);
    const Index width = plan.attention_width > 0 ? plan.attention_width : plan.head_query_width();
    const double of_score =
        score && score->multiply_adds ? score->multiply_adds(plan) : static_cast<double>(width);
    return pairs * (of_score + static_cast<double>(plan.head_value_width()));
}

}  // namespace

RunCost run_cost(const Plan& plan) {
    constexpr double number = sizeof(float);
    RunCost cost;
    cost.multiply_adds = projections(plan);
    const AlgorithmComponent* algorithm = component_of(plan.spec.algorithm.type);
    const AlgorithmCost own = algorithm && algorithm->cost ? algorithm->cost(plan) : AlgorithmCost();
    cost.multiply_adds += own.multiply_adds;
    if (!is_composed(plan.spec)) {
        cost.map_bytes = own.map_numbers * number;
        cost.cache_bytes = own.cache_numbers * number;
        cost.state_bytes = own.state_numbers * number;
        return cost;
    }
    cost.multiply_adds += composed(plan);
    cost.map_bytes = product({plan.heads, plan.queries, plan.keys}) * number;
    const Index shared = plan.spec.heads.sharing == Sharing::key_value ? 0 : plan.value_width;
    cost.cache_bytes = static_cast<double>(plan.key_width + shared) * number;
    return cost;
}

}  // namespace headlight
