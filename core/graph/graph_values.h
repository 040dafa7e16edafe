#pragma once

#include "core/graph/graph.h"

#include <limits>
#include <string>
#include <vector>

namespace headlight {

/// Returns the bytes that a GraphValues of the graph takes.
double bytes_of_numbers(const Graph& graph);

/// The numbers of every step of a graph, in double. The graph stays where it is, and is not added to.
class GraphValues {
public:
    /// `infinity` stands for it among the numbers of the expressions.
    explicit GraphValues(const Graph& graph, double infinity = std::numeric_limits<double>::infinity());

    /// Numbers of a given tensor, row by row, head by head; they stay where they are until they are set
    /// again.
    void set(std::size_t step, std::span<const double> numbers);
    void set(const std::string& name, std::span<const double> numbers) { set(graph_.step_of(name), numbers); }
    /// Computes every step from the given tensors. Throws Error for one that was not set.
    void run();

    /// Numbers of a step that is kept.
    std::span<const double> of(std::size_t step) const;
    std::span<const double> of(const std::string& name) const { return of(graph_.step_of(name)); }

    /// Calls `use(call)` with the operation of a step and the numbers of its operands.
    template <class Use>
    void with_call(std::size_t step, const Use& use) const {
        const GraphStep& at = graph_.steps()[step];
        std::vector<OperandNumbers> operands;
        operands.reserve(at.operands.size());
        for (const std::size_t operand : at.operands)
            operands.push_back({numbers_[operand], graph_.steps()[operand].extent});
        use(OperationCall{at.node(), at.extent, operands, at.body.get()});
    }

private:
    const Graph& graph_;
    std::vector<const double*> numbers_;  ///< of each step
    std::vector<double*> results_;        ///< null for a given tensor
    std::vector<std::vector<double>> buffers_;
};

}  // namespace headlight
