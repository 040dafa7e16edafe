#pragma once

#include "core/graph/operation.h"
#include "core/tensor/interruption.h"

#include <cstddef>
#include <span>
#include <string_view>

// Rows of the table for operations along an axis, which then has the extent 1.
namespace headlight::along_axis {

/// The numbers of an operand that become one of the result: the first, how many, and from one to the next.
struct ReducedLine {
    Index start = 0, count = 0, step = 0;
};

template <AlongAxis along, class Do>
void for_each_line(const OperationCall& call, const Do& apply) {
    const Extent& whole = call.operands[0].extent;
    Index at = 0;
    for (Index head = 0; head < call.extent.matrices(); ++head)
        for (Index place = 0; place < call.extent.rows * call.extent.columns; ++place, ++at) {
            Interruption::check();
            apply(at, along == AlongAxis::columns ? ReducedLine{at * whole.columns, whole.columns, 1}
                                                  : ReducedLine{head * whole.rows * whole.columns + place,
                                                                whole.rows, whole.columns});
        }
}

template <AlongAxis along>
Extent reduced_shape(const ExpressionNode&, std::span<const Extent> operands) {
    Extent extent = operands[0];
    (along == AlongAxis::columns ? extent.columns : extent.rows) = 1;
    return extent;
}

template <AlongAxis along>
TensorAxes reduced_axes(const ExpressionNode&, std::span<const TensorAxes> operands) {
    TensorAxes axes = operands[0];
    (along == AlongAxis::columns ? axes.columns : axes.rows) = CountedAxis::unknown;
    return axes;
}

template <AlongAxis along>
OperationDescription reduction(Operation operation, std::string_view name) {
    return {.operation = operation,
            .name = name,
            .family = OperationFamily::reduction,
            .along = along,
            .shape = reduced_shape<along>,
            .axes = reduced_axes<along>};
}

template <class Function>
void run_rows(const OperationCall& call, double* result) {
    for_each_line<AlongAxis::columns>(call, [&](Index at, const ReducedLine& line) {
        result[at] = Function::value(
            std::span(call.operands[0].numbers + line.start, static_cast<std::size_t>(line.count)));
    });
}

/// Where a gradient or a slope is 0 nothing is added, even if the other is infinite.
template <class Function>
void backward_rows(const OperationCall& call, const double* result, const double* gradient,
                   std::span<double* const> gradients) {
    for_each_line<AlongAxis::columns>(call, [&](Index at, const ReducedLine& line) {
        if (gradient[at] == 0)
            return;
        for (Index i = line.start; i < line.start + line.count; ++i)
            if (const double slope = Function::slope(call.operands[0].numbers[i], result[at]); slope != 0)
                gradients[0][i] += gradient[at] * slope;
    });
}

/// What becomes of a row's numbers, made of a struct: `value` of them, and the `slope` by one of them, from
/// it and the value. For a file of operations/, which has its name from that.
template <class Function>
OperationDescription smooth_of_columns(const PythonSpelling& python, const CellSpelling& cell,
                                       const PrintSpelling& print) {
    OperationDescription row = reduction<AlongAxis::columns>({}, {});
    row.run = run_rows<Function>;
    row.backward = backward_rows<Function>;
    row.python = python;
    row.cell = cell;
    row.print = print;
    return row;
}

}  // namespace headlight::along_axis
