// Operations along the columns of each row, which stay.
#include "core/graph/operation.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace headlight {
namespace {

/// Calls `apply(start)` with where each row begins.
template <class Do>
void for_each_row(const OperationCall& call, const Do& apply) {
    for (Index start = 0; start < call.extent.size(); start += call.extent.columns) {
        Interruption::check();
        apply(start);
    }
}

void run_cumulative_sum(const OperationCall& call, double* result) {
    for_each_row(call, [&](Index start) {
        const double* row = call.operands[0].numbers + start;
        std::partial_sum(row, row + call.extent.columns, result + start);
    });
}

void backward_cumulative_sum(const OperationCall& call, const double* /*result*/, const double* gradient,
                             std::span<double* const> gradients) {
    for_each_row(call, [&](Index start) {
        double later = 0;
        for (Index column = call.extent.columns - 1; column >= 0; --column)
            gradients[0][start + column] += later += gradient[start + column];
    });
}

void run_cumulative_product(const OperationCall& call, double* result) {
    for_each_row(call, [&](Index start) {
        const double* row = call.operands[0].numbers + start;
        std::partial_sum(row, row + call.extent.columns, result + start, std::multiplies());
    });
}

/// Each factor's slope is what stands before it times what comes back from there on, which is gathered from
/// the end: a factor may be 0, and nothing is divided by it.
void backward_cumulative_product(const OperationCall& call, const double* /*result*/, const double* gradient,
                                 std::span<double* const> gradients) {
    const Index columns = call.extent.columns;
    std::vector<double> behind(static_cast<std::size_t>(columns));
    for_each_row(call, [&](Index start) {
        const double *const row = call.operands[0].numbers + start, *const slopes = gradient + start;
        double sum = 0;
        for (Index column = columns; column-- > 0;) {
            sum += slopes[column];
            behind[static_cast<std::size_t>(column)] = sum;
            sum *= row[column];
        }
        double before = 1;
        for (Index column = 0; column < columns; ++column) {
            gradients[0][start + column] += before * behind[static_cast<std::size_t>(column)];
            before *= row[column];
        }
    });
}

/// Columns up to which each number of a row is put among those before it: many rows end in what a mask
/// forbids, which stays where it is.
constexpr Index short_row = 32;

/// Puts `added`, which follows `count` sorted elements, behind those that do not come after it.
template <class Element, class ComesBefore>
void insert_sorted(Element added, Element* sorted, Index count, const ComesBefore& comes_before) {
    Index at = count;
    for (; at > 0 && comes_before(added, sorted[at - 1]); --at)
        sorted[at] = sorted[at - 1];
    sorted[at] = added;
}

/// Calls `apply(start, columns)` with where each row begins, and its columns, the largest number first, of
/// equal ones the first.
template <class Do>
void for_each_order(const OperationCall& call, const Do& apply) {
    const Index columns = call.extent.columns;
    std::vector<Index> order(static_cast<std::size_t>(columns));
    for_each_row(call, [&](Index start) {
        const auto is_larger = [row = call.operands[0].numbers + start](Index a, Index b) {
            return row[a] > row[b];
        };
        if (columns <= short_row) {
            for (Index column = 0; column < columns; ++column)
                insert_sorted(column, order.data(), column, is_larger);
        } else {
            std::iota(order.begin(), order.end(), 0);
            std::ranges::stable_sort(order, is_larger);
        }
        apply(start, std::span<const Index>(order));
    });
}

void run_descending(const OperationCall& call, double* result) {
    const Index columns = call.extent.columns;
    for_each_row(call, [&](Index start) {
        const double* row = call.operands[0].numbers + start;
        if (columns <= short_row) {
            for (Index column = 0; column < columns; ++column)
                insert_sorted(row[column], result + start, column, std::greater());
        } else {
            std::copy_n(row, columns, result + start);
            std::sort(result + start, result + start + columns, std::greater());
        }
    });
}

void backward_descending(const OperationCall& call, const double* /*result*/, const double* gradient,
                         std::span<double* const> gradients) {
    for_each_order(call, [&](Index start, std::span<const Index> order) {
        const double* sorted = gradient + start;
        for (const Index column : order)
            gradients[0][start + column] += *sorted++;
    });
}

void run_rank(const OperationCall& call, double* result) {
    for_each_order(call, [&](Index start, std::span<const Index> order) {
        double before = 0;
        for (const Index column : order)
            result[start + column] = before++;
    });
}

OperationDescription row_operation(Operation operation, std::string_view name) {
    return {.operation = operation,
            .name = name,
            .family = OperationFamily::row,
            .along = AlongAxis::columns,
            .shape = shape_of_operand,
            .axes = axes_that_meet};
}

OperationDescription cumulative_sum_row() {
    OperationDescription row = row_operation(Operation::cumulative_sum, "cumulative sum");
    row.run = run_cumulative_sum;
    row.backward = backward_cumulative_sum;
    row.python = {.form = PythonSpelling::Form::row_call, .numpy = "cumsum"};
    row.cell = {.form = CellSpelling::Form::running, .word = "SUM"};
    row.print = {.form = PrintSpelling::Form::list, .symbols = {""}, .list = printed_sum()};
    return row;
}

OperationDescription cumulative_product_row() {
    OperationDescription row = row_operation(Operation::cumulative_product, "cumulative product");
    row.run = run_cumulative_product;
    row.backward = backward_cumulative_product;
    row.python = {.form = PythonSpelling::Form::row_call, .numpy = "cumprod"};
    row.cell = {.form = CellSpelling::Form::running, .word = "PRODUCT"};
    row.print = {.form = PrintSpelling::Form::list,
                 .symbols = {""},
                 .list = {.joint = " × ",
                          .binding = PrintBinding::term,
                          .of_one = PrintBinding::term,
                          .between = [](std::span<const double> numbers) {
                              return std::accumulate(numbers.begin(), numbers.end(), 1.0, std::multiplies());
                          }}};
    return row;
}

OperationDescription descending_row() {
    OperationDescription row = row_operation(Operation::descending, "descending");
    row.run = run_descending;
    row.backward = backward_descending;
    row.python = {.form = PythonSpelling::Form::pattern,
                  .pattern = {"-{np}sort(-{0:powers}, axis=-1)", PythonBinding::sign},
                  .torch_pattern = {"{np}sort({0}, dim=-1, descending=True).values"},
                  .formula = {"descending({0})"}};
    row.cell = {.form = CellSpelling::Form::pattern, .pattern = {"LARGE({0:row};{column})"}};
    row.print = {.form = PrintSpelling::Form::said,
                 .pattern = {"number {column} of the row, the largest first"},
                 .symbols = {""}};
    return row;
}

/// How many of the row are larger, and of equal ones come before it.
CellPattern rank_in_cells(const ExpressionNode& /*node*/, const Place& at) {
    if (at.column == 0)
        return {"SUMPRODUCT(({0:row}>{0:cell})*1)"};
    return {"SUMPRODUCT(({0:row}>{0:cell})*1)+SUMPRODUCT(({0:before}={0:cell})*1)", CellBinding::added};
}

OperationDescription rank_row() {
    OperationDescription row = row_operation(Operation::rank, "rank");
    row.run = run_rank;
    row.no_derivative = "a place in an order does not change with small changes";
    row.python = {
        .form = PythonSpelling::Form::pattern,
        .pattern = {"{np}argsort({np}argsort(-{0:powers}, axis=-1, kind=\"stable\"), axis=-1)"},
        .torch_pattern = {"{np}sort({np}sort(-{0:powers}, dim=-1, stable=True).indices, dim=-1).indices"},
        .formula = {"rank({0})"}};
    row.cell = {.form = CellSpelling::Form::pattern, .own = rank_in_cells};
    row.print = {.form = PrintSpelling::Form::said,
                 .pattern = {"how many of the row come before it, the largest first"},
                 .symbols = {""}};
    return row;
}

}  // namespace

std::span<const OperationDescription> row_operations() {
    static const std::array table{cumulative_sum_row(), cumulative_product_row(), descending_row(),
                                  rank_row()};
    return table;
}

}  // namespace headlight
