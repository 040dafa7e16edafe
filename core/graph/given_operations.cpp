// Numbers that are there: written out, under a name, or found by a search.
#include "core/graph/operation.h"

#include <algorithm>
#include <array>

namespace headlight {
namespace {

Extent given_shape(const ExpressionNode& node, std::span<const Extent> /*operands*/) { return node.extent; }

TensorAxes unknown_axes(const ExpressionNode& /*node*/, std::span<const TensorAxes> /*operands*/) {
    return {};
}

Extent solution_shape(const ExpressionNode& /*node*/, std::span<const Extent> operands) {
    if (operands[0] != operands[1])
        refuse_extents("solution of an equation", operands[0], operands[1]);
    return operands[0];
}

void run_solution(const OperationCall& call, double* result) {
    std::copy_n(call.operands[0].numbers, call.extent.size(), result);
}

/// Takes the derivative of the residual, of which the gradient is asked, as 1; Differentiation has divided by
/// it.
void backward_solution(const OperationCall& call, const double* /*result*/, const double* gradient,
                       std::span<double* const> gradients) {
    for (Index at = 0; gradients[1] && at < call.extent.size(); ++at)
        gradients[1][at] -= gradient[at];
}

}  // namespace

std::span<const OperationDescription> given_operations() {
    static const std::array table{
        OperationDescription{.operation = Operation::number,
                             .name = "number",
                             .shape = given_shape,
                             .axes = unknown_axes,
                             .no_derivative = "a number is always the same",
                             .python = {.form = PythonSpelling::Form::structure},
                             .cell = {.form = CellSpelling::Form::structure},
                             .print = {.form = PrintSpelling::Form::structure}},
        OperationDescription{.operation = Operation::tensor,
                             .name = "tensor",
                             .shape = given_shape,
                             .axes = unknown_axes,
                             .no_derivative = "its numbers are given",
                             .python = {.form = PythonSpelling::Form::structure},
                             .cell = {.form = CellSpelling::Form::structure},
                             .print = {.form = PrintSpelling::Form::structure}},
        OperationDescription{.operation = Operation::solution,
                             .name = "solution",
                             .shape = solution_shape,
                             .axes = axes_of_operand,
                             .run = run_solution,
                             .backward = backward_solution,
                             .python = {.form = PythonSpelling::Form::pattern,
                                        .pattern = {"{0}"},
                                        .formula = {"solution({list})"}},
                             .cell = {.form = CellSpelling::Form::structure},
                             .print = {.form = PrintSpelling::Form::structure}},
    };
    return table;
}

}  // namespace headlight
