#include "core/graph/graph_cost.h"

#include "core/graph/graph.h"

namespace headlight {
namespace {

double multiply_adds_of(const Graph& graph, const GraphStep& step) {
    const auto size = static_cast<double>(step.extent.size());
    if (step.body)
        return size * static_cast<double>(step.body->graph.steps()[step.body->result].extent.columns);
    const OperationDescription& description = step.description();
    if (!description.factors && !description.multiply_adds)
        return 0;
    const Extent& first = graph.steps()[step.operands.front()].extent;
    return description.multiply_adds ? description.multiply_adds(step.extent, first)
                                     : size * static_cast<double>(first.columns);
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
