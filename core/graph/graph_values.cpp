#include "core/graph/graph_values.h"

#include "core/graph/graph_kernels.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace headlight {

namespace {

/// Room for the result of each step that has one; steps that are not kept leave theirs to later ones.
struct Rooms {
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    explicit Rooms(const Graph& graph);

    std::vector<std::size_t> of_step;
    std::vector<Index> sizes;
};

Rooms::Rooms(const Graph& graph) : of_step(graph.steps().size(), none) {
    const auto& steps = graph.steps();
    std::vector<std::size_t> last_use(steps.size());
    for (std::size_t step = 0; step < steps.size(); ++step)
        for (const std::size_t operand : steps[step].operands)
            last_use[operand] = step;
    std::map<Index, std::vector<std::size_t>> free;  // by size
    for (std::size_t step = 0; step < steps.size(); ++step) {
        if (steps[step].node().operation == Operation::tensor)
            continue;
        const Index size = steps[step].extent.size();
        if (std::vector<std::size_t>& fitting = free[size]; !fitting.empty() && !steps[step].is_kept) {
            of_step[step] = fitting.back();
            fitting.pop_back();
        } else {
            of_step[step] = sizes.size();
            sizes.push_back(size);
        }
        // Only now: a result never lies where an operand is.
        for (std::size_t i = 0; i < steps[step].operands.size(); ++i) {
            const std::size_t operand = steps[step].operands[i];
            const bool is_first = std::ranges::find(steps[step].operands, operand) ==
                                  steps[step].operands.begin() + static_cast<Index>(i);
            if (is_first && last_use[operand] == step && !steps[operand].is_kept && of_step[operand] != none)
                free[steps[operand].extent.size()].push_back(of_step[operand]);
        }
    }
}

}  // namespace

double bytes_of_numbers(const Graph& graph) {
    double numbers = 0;
    Index packed = 0;  // a factor as the kernels read it
    double pairs = 0;  // the summands of one query
    for (const Index size : Rooms(graph).sizes)
        numbers += static_cast<double>(size);
    for (const GraphStep& step : graph.steps()) {
        if (step.body)
            pairs = std::max(pairs, bytes_of_numbers(step.body->graph));
        if (step.description().family == OperationFamily::matrices) {
            const Extent right = graph.steps()[step.operands.back()].extent;
            packed = std::max({packed, kernels::packed_size<double>(right.rows, right.columns),
                               kernels::packed_size<double>(right.columns, right.rows)});
        }
    }
    return (numbers + static_cast<double>(packed)) * sizeof(double) + pairs;
}

GraphValues::GraphValues(const Graph& graph, double infinity)
    : graph_(graph), numbers_(graph.steps().size()), results_(graph.steps().size()) {
    const Rooms rooms(graph);
    for (const Index size : rooms.sizes)
        buffers_.emplace_back(static_cast<std::size_t>(size));
    for (std::size_t step = 0; step < results_.size(); ++step) {
        if (rooms.of_step[step] != Rooms::none)
            results_[step] = buffers_[rooms.of_step[step]].data();
        numbers_[step] = results_[step];
        const ExpressionNode& node = graph.steps()[step].node();
        if (node.operation == Operation::number)
            *results_[step] = std::isinf(node.number) ? std::copysign(infinity, node.number) : node.number;
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
        if (at.is_given() && !numbers_[step])
            throw Error({"evaluate a program", at.node().tensor, "numbers of a given tensor", "none"});
        if (at.node().operation == Operation::tensor && !at.operands.empty())
            numbers_[step] = numbers_[at.operands.front()];  // what a search has found
        if (const auto run = at.description().run)
            with_call(step, [&](const OperationCall& call) { run(call, results_[step]); });
    }
}

std::span<const double> GraphValues::of(std::size_t step) const {
    return {numbers_[step], static_cast<std::size_t>(graph_.steps()[step].extent.size())};
}

}  // namespace headlight
