#pragma once

// What the tests of operations and of graphs share: an expression of operands that are given anew for each
// run.

#include "core/graph/differentiate.h"
#include "core/graph/graph_values.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace headlight::test {

/// x0, x1, ...
inline std::string operand_name(std::size_t operand) { return "x" + std::to_string(operand); }

/// An expression of operands x0, x1, ... whose gradients are asked for, as a graph. Numbers of an operand lie
/// as its extent says: row behind row, head behind head.
class OperandGraph {
public:
    OperandGraph(const std::function<Expression(const std::vector<Expression>&)>& build,
                 const std::vector<Extent>& extents)
        : expression(0) {
        std::vector<Expression> operands;
        for (std::size_t i = 0; i < extents.size(); ++i) {
            operands.push_back(named_tensor(operand_name(i), extents[i], false));
            graph.give(operand_name(i), extents[i], true);
        }
        expression = build(operands);
        result = graph.add(expression);
    }

    std::vector<double> values(const std::vector<std::vector<double>>& operands) const {
        GraphValues values(graph);
        run(values, operands);
        const auto numbers = values.of(result);
        return {numbers.begin(), numbers.end()};
    }
    /// Gradients of the sum of `weights` times the result, one for each operand.
    std::vector<std::vector<double>> gradients(const std::vector<std::vector<double>>& operands,
                                               const std::vector<double>& weights) const {
        GraphValues values(graph);
        run(values, operands);
        Differentiation differentiation(graph);
        differentiation.run(values, result, weights);
        std::vector<std::vector<double>> all;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const auto gradient = differentiation.of(operand_name(i));
            all.emplace_back(gradient.begin(), gradient.end());
        }
        return all;
    }

    Graph graph;
    Expression expression;
    std::size_t result = 0;

private:
    static void run(GraphValues& values, const std::vector<std::vector<double>>& operands) {
        for (std::size_t i = 0; i < operands.size(); ++i)
            values.set(operand_name(i), operands[i]);
        values.run();
    }
};

/// Numbers of an operand, each between `low` and `high`.
inline std::vector<double> drawn_numbers(const Extent& extent, double low, double high,
                                         std::mt19937& generator) {
    std::uniform_real_distribution<double> distribution(low, high);
    std::vector<double> numbers(static_cast<std::size_t>(extent.size()));
    std::ranges::generate(numbers, [&] { return distribution(generator); });
    return numbers;
}

}  // namespace headlight::test
