#include "core/program/evaluate.h"

#include "core/graph/graph_values.h"

#include <cmath>
#include <set>
#include <utility>

namespace headlight {
namespace {

/// Adds the names of the tensors that `x` reads; `seen` are nodes whose names are there.
void add_names(const Expression& x, std::set<const ExpressionNode*>& seen, std::set<std::string>& names) {
    if (!seen.insert(&*x).second)
        return;
    if (x->operation == Operation::tensor)
        names.insert(x->tensor);
    for (const Expression& operand : x->operands)
        add_names(operand, seen, names);
}

}  // namespace

void Evaluation::set(const std::string& name, const Extent& extent, std::vector<double> numbers) {
    for (double& number : numbers)
        if (std::isinf(number))
            number = std::copysign(cell_infinity, number);
    tensors_[name] = {extent, std::move(numbers)};
}

std::vector<double> Evaluation::numbers_of(const Expression& x) const {
    std::set<const ExpressionNode*> seen;
    std::set<std::string> names;
    add_names(x, seen, names);
    Graph graph;
    for (const std::string& name : names)
        graph.give(name, tensors_.at(name).extent, false);
    const std::size_t result = graph.add(x);
    GraphValues values(graph, cell_infinity);
    for (const std::string& name : names)
        values.set(name, tensors_.at(name).numbers);
    values.run();
    const std::span<const double> numbers = values.of(result);
    return {numbers.begin(), numbers.end()};
}

}  // namespace headlight
