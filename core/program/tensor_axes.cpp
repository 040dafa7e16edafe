#include "core/program/tensor_axes.h"

namespace headlight {
namespace {

/// Returns the axes of operands that meet element by element, as far as they are known: one of extent 1 says
/// nothing.
TensorAxes met(const ExpressionNode& node, const std::map<std::string, TensorAxes>& known) {
    TensorAxes axes;
    for (const Expression& operand : node.operands) {
        const TensorAxes of_operand = axes_of(operand, known);
        if (axes.rows == CountedAxis::unknown && operand.extent().rows == node.extent.rows)
            axes.rows = of_operand.rows;
        if (axes.columns == CountedAxis::unknown && operand.extent().columns == node.extent.columns)
            axes.columns = of_operand.columns;
    }
    return axes;
}

/// What the rows of the side `side` count in the summand of sum_of_pairs().
CountedAxis rows_of_side(const Expression& summand, Operation side,
                         const std::map<std::string, TensorAxes>& known) {
    if (summand->operation == side)
        return axes_of(summand->operands.front(), known).rows;
    for (const Expression& operand : summand->operands)
        if (const CountedAxis rows = rows_of_side(operand, side, known); rows != CountedAxis::unknown)
            return rows;
    return CountedAxis::unknown;
}

}  // namespace

TensorAxes axes_of(const GivenTensor& tensor) {
    return tensor.kind == GivenTensor::Kind::input ? TensorAxes{CountedAxis::tokens, CountedAxis::features}
                                                   : TensorAxes{};
}

TensorAxes axes_of(const Expression& x, const std::map<std::string, TensorAxes>& known) {
    const ExpressionNode& node = *x;
    const auto operand = [&](std::size_t at) { return axes_of(node.operands[at], known); };
    switch (node.operation) {
    case Operation::number:
    case Operation::left_row:
    case Operation::right_row:
        return {};
    case Operation::tensor: {
        const auto found = known.find(node.tensor);
        return found == known.end() ? TensorAxes{} : found->second;
    }
    case Operation::sum_of_columns:
    case Operation::maximum_of_columns:
        return {operand(0).rows, CountedAxis::unknown};
    case Operation::sum_of_rows:
    case Operation::maximum_of_rows:
        return {CountedAxis::unknown, operand(0).columns};
    case Operation::product: {
        const TensorAxes left = operand(0), right = operand(1);
        const bool is_projected =
            left.columns == CountedAxis::features && right.columns == CountedAxis::unknown;  // x W
        return {left.rows, is_projected ? CountedAxis::features : right.columns};
    }
    case Operation::product_transposed:
        return {operand(0).rows, operand(1).rows};
    case Operation::sum_of_pairs:
        return {rows_of_side(node.operands.front(), Operation::left_row, known),
                rows_of_side(node.operands.front(), Operation::right_row, known)};
    case Operation::mix_heads:
        return operand(1);
    case Operation::transposed: {
        const TensorAxes turned = operand(0);
        return {turned.columns, turned.rows};
    }
    case Operation::split_heads:
    case Operation::join_heads:
    case Operation::take_heads:
    case Operation::join_columns:
    case Operation::join_rows:
        return operand(0);
    case Operation::split_rows:
        return {CountedAxis::unknown, operand(0).columns};
    default:
        return met(node, known);
    }
}

}  // namespace headlight
