#include "core/graph/operation.h"

#include "core/graph/declared_operations.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <numeric>

namespace headlight {
namespace {

std::vector<OperationDescription> all_operations() {
    std::vector<OperationDescription> table;
    for (const auto family : {given_operations, element_operations, reduction_operations, row_operations,
                              matrix_operations, pair_operations, place_operations})
        table.insert(table.end(), family().begin(), family().end());
    const std::vector<OperationDescription> own = declared_operations();
    table.insert(table.end(), own.begin(), own.end());
    return table;
}

Index met_extent(const char* what, Index of_a, Index of_b, const Extent& a, const Extent& b) {
    if (of_a != of_b && of_a != 1 && of_b != 1)
        refuse_extents(what, a, b);
    return std::max(of_a, of_b);
}

}  // namespace

std::span<const OperationDescription> operation_table() {
    static const std::vector<OperationDescription> table = all_operations();
    return table;
}

const OperationDescription& description_of(Operation operation) {
    return operation_table()[static_cast<std::size_t>(operation)];
}

Operation operation_named(std::string_view name) {
    const auto found = std::ranges::find(operation_table(), name, &OperationDescription::name);
    if (found == operation_table().end())
        throw Error({"find an operation", {}, "a name of the vocabulary", std::string(name)});
    return found->operation;
}

double value_of_elements(const OperationDescription& description, std::span<const double> elements) {
    const ExpressionNode node{.operation = description.operation};
    OperandList operands;
    for (const double& element : elements)
        operands.add({&element, {}});
    double value = 0;
    description.run({node, {}, operands.all()}, &value);
    return value;
}

void refuse_extents(const char* what, const Extent& a, const Extent& b) {
    throw Error({"write a program", what, "extents that meet", to_string(a) + " and " + to_string(b)});
}

Index heads_that_meet(const Extent& a, const Extent& b) {
    if (a.heads == 0 || b.heads == 0)
        return std::max(a.heads, b.heads);
    return met_extent("heads", a.heads, b.heads, a, b);
}

Extent broadcast(const Extent& a, const Extent& b) {
    return {heads_that_meet(a, b), met_extent("rows", a.rows, b.rows, a, b),
            met_extent("columns", a.columns, b.columns, a, b)};
}

Extent shape_of_operand(const ExpressionNode& /*node*/, std::span<const Extent> operands) {
    return operands.front();
}

TensorAxes axes_of_operand(const ExpressionNode& /*node*/, std::span<const TensorAxes> operands) {
    return operands.front();
}

TensorAxes axes_that_meet(const ExpressionNode& node, std::span<const TensorAxes> operands) {
    TensorAxes axes;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Extent& extent = node.operands[i].extent();
        if (axes.rows == CountedAxis::unknown && extent.rows == node.extent.rows)
            axes.rows = operands[i].rows;
        if (axes.columns == CountedAxis::unknown && extent.columns == node.extent.columns)
            axes.columns = operands[i].columns;
    }
    return axes;
}

PrintedList printed_sum() {
    return {.joint = " + ",
            .binding = PrintBinding::sum,
            .between =
                [](std::span<const double> numbers) {
                    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
                },
            .left_out = 0,
            .has_factors = true};
}

}  // namespace headlight
