#include "core/graph/graph_cost.h"

#include "core/graph/graph.h"

namespace headlight {
namespace {

double multiply_adds_of(const Graph& graph, const GraphStep& step) {
    const auto size = static_cast<double>(step.extent.size());
    const auto columns_of_left = [&] {
        return static_cast<double>(graph.steps()[step.operands.front()].extent.columns);
    };
    switch (step.node().operation) {
    case Operation::product:
    case Operation::product_transposed:
    case Operation::mix_heads:
        return size * columns_of_left();
    case Operation::inverse:
        return size * static_cast<double>(step.extent.rows);
    case Operation::sum_of_pairs:
        return size * static_cast<double>(step.body->graph.steps()[step.body->result].extent.columns);
    default:
        return 0;
    }
}

}  // namespace

double multiply_adds_of(const Program& program) {
    const Graph graph(program.given(), program.parts());
    double sum = 0;
    for (const GraphStep& step : graph.steps())
        sum += multiply_adds_of(graph, step);
    return sum;
}

}  // namespace headlight
