#pragma once

#include "core/graph/graph.h"
#include "core/graph/row_blocks.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace headlight {

/// Returns the bytes that a GraphValues of the graph takes, run by so many threads.
double bytes_of_numbers(const Graph& graph, int threads = 1);

/// Returns the numbers of an expression; `given` has those of each tensor that it reads, and `infinity`
/// stands for it among the numbers of the expression.
std::vector<double> numbers_of(const Expression& x,
                               const std::function<std::span<const double>(const std::string& tensor)>& given,
                               double infinity = std::numeric_limits<double>::infinity());

/// The numbers of every step of a graph, in double. The graph stays where it is, and is not added to.
class GraphValues {
public:
    /// `infinity` stands for it among the numbers of the expressions.
    explicit GraphValues(const Graph& graph, double infinity = std::numeric_limits<double>::infinity());

    /// Numbers of a given tensor, row by row, head by head; they stay where they are until they are set
    /// again.
    void set(std::size_t step, std::span<const double> numbers);
    void set(const std::string& name, std::span<const double> numbers) { set(graph_.step_of(name), numbers); }
    /// Computes every step from the given tensors, on at most so many threads; the bits do not depend on
    /// their number. Throws Error for one that was not set.
    void run(int threads = 1);

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
    void run_whole(std::size_t step);
    void run_by_rows(const RowGroup& group, int threads);
    /// Some rows of one head of a group's steps; `room` has a block for each that lies within it.
    void run_block(const RowGroup& group, Index head, Index first_row, std::vector<const double*>& numbers,
                   double* room);

    const Graph& graph_;
    std::vector<RowGroup> groups_;
    std::vector<bool> is_within_;         ///< a group: it has numbers of a block alone
    std::vector<const double*> numbers_;  ///< of each step
    std::vector<double*> results_;        ///< null for a given tensor, and within a group
    std::vector<std::vector<double>> buffers_;
};

}  // namespace headlight
