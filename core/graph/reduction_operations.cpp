// Operations along an axis, which then has the extent 1.
#include "core/graph/graph_kernels.h"
#include "core/graph/reduction_rows.h"

#include <algorithm>
#include <array>
#include <limits>

namespace headlight {
namespace {

using namespace along_axis;

void sum_columns(const OperationCall& call, double* result) {
    const auto& by = graph_arithmetic();
    for_each_line<AlongAxis::columns>(call, [&](Index at, const ReducedLine& line) {
        result[at] = by.sum(call.operands[0].numbers + line.start, line.count);
    });
}

void backward_sum_of_columns(const OperationCall& call, const double* /*result*/, const double* gradient,
                             std::span<double* const> gradients) {
    for_each_line<AlongAxis::columns>(call, [&](Index at, const ReducedLine& line) {
        for (Index i = line.start; i < line.start + line.count; ++i)
            gradients[0][i] += gradient[at];
    });
}

/// Calls `apply(matrix, row)` with where each matrix of the operand begins, and that of the result.
template <class Do>
void for_each_matrix(const OperationCall& call, const Do& apply) {
    for (Index head = 0; head < call.extent.matrices(); ++head) {
        Interruption::check();
        apply(call.operands[0].at({head, 0, 0}), head * call.extent.columns);
    }
}

void sum_rows(const OperationCall& call, double* result) {
    const auto& by = graph_arithmetic();
    const Extent& whole = call.operands[0].extent;
    std::fill_n(result, call.extent.size(), 0.0);
    for_each_matrix(call, [&](Index matrix, Index row) {
        by.add_column_sums(call.operands[0].numbers + matrix, whole.rows, whole.columns, result + row);
    });
}

void backward_sum_of_rows(const OperationCall& call, const double* /*result*/, const double* gradient,
                          std::span<double* const> gradients) {
    const auto& by = graph_arithmetic();
    const Extent& whole = call.operands[0].extent;
    for_each_matrix(call, [&](Index matrix, Index row) {
        for (Index each = 0; each < whole.rows; ++each)
            by.add(gradient + row, whole.columns, gradients[0] + matrix + each * whole.columns);
    });
}

template <AlongAxis along>
void run_maximum(const OperationCall& call, double* result) {
    const double* x = call.operands[0].numbers;
    for_each_line<along>(call, [&](Index at, const ReducedLine& line) {
        double largest = x[line.start];
        for (Index i = 1; i < line.count; ++i)
            largest = std::max(largest, x[line.start + i * line.step]);
        result[at] = largest;
    });
}

/// Equal largest numbers share the gradient evenly, as in PyTorch's amax: tokens that are alike stay alike.
template <AlongAxis along>
void backward_maximum(const OperationCall& call, const double* result, const double* gradient,
                      std::span<double* const> gradients) {
    const double* x = call.operands[0].numbers;
    for_each_line<along>(call, [&](Index at, const ReducedLine& line) {
        if (gradient[at] == 0)
            return;
        Index largest = 0;
        for (Index i = 0; i < line.count; ++i)
            largest += x[line.start + i * line.step] == result[at] ? 1 : 0;
        const double of_each = gradient[at] / static_cast<double>(largest);
        for (Index i = 0; i < line.count; ++i)
            if (x[line.start + i * line.step] == result[at])
                gradients[0][line.start + i * line.step] += of_each;
    });
}

template <AlongAxis along>
OperationDescription sum(Operation operation, std::string_view name) {
    constexpr bool of_columns = along == AlongAxis::columns;
    OperationDescription row = reduction<along>(operation, name);
    row.run = of_columns ? sum_columns : sum_rows;
    row.backward = of_columns ? backward_sum_of_columns : backward_sum_of_rows;
    row.python = {.form = PythonSpelling::Form::reduction, .numpy = "sum"};
    row.cell = {.form = CellSpelling::Form::reduction, .word = "SUM"};
    row.print = {.form = PrintSpelling::Form::list,
                 .symbols = {"Σ {0:term}", PrintBinding::term},
                 .list = printed_sum()};
    return row;
}

template <AlongAxis along>
OperationDescription largest(Operation operation, std::string_view name) {
    OperationDescription row = reduction<along>(operation, name);
    row.run = run_maximum<along>;
    row.backward = backward_maximum<along>;
    row.python = {.form = PythonSpelling::Form::reduction, .numpy = "max", .torch = "amax"};
    row.cell = {.form = CellSpelling::Form::reduction, .word = "MAX"};
    row.print = {
        .form = PrintSpelling::Form::list,
        .symbols = {"max({0})"},
        .list = {.before = "max(",
                 .after = ")",
                 .between = [](std::span<const double> numbers) { return std::ranges::max(numbers); },
                 .left_out = -std::numeric_limits<double>::infinity()}};
    return row;
}

}  // namespace

std::span<const OperationDescription> reduction_operations() {
    static const std::array table{
        sum<AlongAxis::columns>(Operation::sum_of_columns, "sum of columns"),
        sum<AlongAxis::rows>(Operation::sum_of_rows, "sum of rows"),
        largest<AlongAxis::columns>(Operation::maximum_of_columns, "maximum of columns"),
        largest<AlongAxis::rows>(Operation::maximum_of_rows, "maximum of rows"),
    };
    return table;
}

}  // namespace headlight
