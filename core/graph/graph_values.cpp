#include "core/graph/graph_values.h"

#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <cmath>

namespace headlight {

GraphValues::GraphValues(const Graph& graph, double infinity)
    : graph_(graph), numbers_(graph.steps().size()), results_(graph.steps().size()) {
    for (std::size_t step = 0; step < results_.size(); ++step) {
        const GraphStep& at = graph.steps()[step];
        if (at.node().operation == Operation::tensor)
            continue;
        results_[step].resize(static_cast<std::size_t>(at.extent.size()));
        numbers_[step] = results_[step].data();
        if (at.node().operation == Operation::number) {
            const double number = at.node().number;
            results_[step].front() = std::isinf(number) ? std::copysign(infinity, number) : number;
        }
    }
}

void GraphValues::set(std::size_t step, std::span<const double> numbers) {
    const Extent& extent = graph_.steps()[step].extent;
    if (std::ssize(numbers) != extent.size())
        throw Error({"evaluate a program", graph_.steps()[step].node().tensor,
                     std::to_string(extent.size()) + " numbers", std::to_string(numbers.size())});
    numbers_[step] = numbers.data();
}

void GraphValues::run() {
    for (std::size_t step = 0; step < results_.size(); ++step) {
        Interruption::check();
        const GraphStep& at = graph_.steps()[step];
        if (at.node().operation == Operation::tensor && !at.operands.empty())
            numbers_[step] = numbers_[at.operands.front()];  // what a search has found
        if (const auto run = at.description().run)
            with_call(step, [&](const OperationCall& call) { run(call, results_[step].data()); });
    }
}

std::span<const double> GraphValues::of(std::size_t step) const {
    return {numbers_[step], static_cast<std::size_t>(graph_.steps()[step].extent.size())};
}

}  // namespace headlight
