#pragma once

#include "core/graph/operation.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

// Rows of the table for operations on elements, which meet as in NumPy. Each is made of a struct: `value` of
// an array with an element of each operand, and the `slopes` there, the derivatives by each, from the
// elements and the value.
namespace headlight::each_element {

using PythonForm = PythonSpelling::Form;
using CellForm = CellSpelling::Form;

using One = std::array<double, 1>;
using Two = std::array<double, 2>;
using Three = std::array<double, 3>;

template <std::size_t count>
constexpr std::size_t count_of(double (*)(const std::array<double, count>&)) {
    return count;
}

/// A function of one operand that the kernels have: `fill(from, count, to)`.
template <class Function>
concept HasKernel = requires {
    Function::fill;
};

/// How many operands a function of elements has: its `value` takes one element of each.
template <class Function>
constexpr std::size_t operand_count = [] {
    if constexpr (HasKernel<Function>)
        return 1;
    else
        return count_of(Function::value);
}();

/// Some rows of elements of the result, one after another, and where those of the operands lie: in a row one
/// after another (step 1), or one for all of them (step 0), and so from one row to the next.
template <std::size_t count>
struct ElementRun {
    Index at = 0, rows = 1, columns = 0;
    std::array<Index, count> start = {}, next_row = {}, step = {};

    Index size() const { return rows * columns; }
};

/// Calls `apply(run)` for some rows of the result; or for a longer row, a matrix or all of it as a single
/// one, where each operand goes on with it or is a single number: rows of a few columns would be too many.
/// Matrices that each are such a row follow one another as rows do.
template <std::size_t count, class Do>
void for_each_run(const OperationCall& call, const Do& apply) {
    constexpr Index longest = 4096;
    const Index size = call.extent.size(), of_matrix = call.extent.rows * call.extent.columns;
    const Index asked = call.first_rows > 0 ? std::min(call.first_rows, call.extent.rows) : call.extent.rows;
    const auto all_are = [&](const auto& size_of, Index whole) {
        for (std::size_t i = 0; i < call.operands.size(); ++i)
            if (const Index own = size_of(call.operands[i].extent); own != whole && own != 1)
                return false;
        return true;
    };
    const auto size_of_all = [](const Extent& extent) { return extent.size(); };
    const auto size_of_matrix = [](const Extent& extent) { return extent.rows * extent.columns; };
    const bool is_plain = asked == call.extent.rows && all_are(size_of_all, size),
               is_by_matrix = !is_plain && all_are(size_of_matrix, of_matrix);
    const Index columns = is_plain ? size : is_by_matrix ? asked * call.extent.columns : call.extent.columns;
    const bool are_matrices_rows = is_by_matrix && asked == call.extent.rows;
    const Index matrices = is_plain || are_matrices_rows ? 1 : call.extent.matrices();
    const Index rows = are_matrices_rows ? call.extent.matrices() : is_plain || is_by_matrix ? 1 : asked;
    const Index rows_together = std::max<Index>(1, longest / std::max<Index>(columns, 1));
    ElementRun<count> run;
    std::array<Index, count> next_matrix{};
    for (std::size_t i = 0; i < count; ++i) {
        const Extent& extent = call.operands[i].extent;
        const Index of_row = is_plain       ? extent.size()
                             : is_by_matrix ? size_of_matrix(extent)
                                            : extent.columns;
        run.step[i] = of_row == 1 ? 0 : 1;
        next_matrix[i] = is_plain || extent.heads <= 1 ? 0 : size_of_matrix(extent);
        const bool is_one_row = is_plain || is_by_matrix || extent.rows == 1;
        run.next_row[i] = are_matrices_rows ? next_matrix[i] : is_one_row ? 0 : extent.columns;
    }
    for (Index matrix = 0; matrix < matrices; ++matrix) {
        run.at = matrix * of_matrix;
        for (Index row = 0; row < rows; row += run.rows) {
            run.rows = std::min(rows_together, rows - row);
            for (Index column = 0; column < columns; column += run.columns) {
                Interruption::check();
                run.columns = std::min(columns - column, longest);
                for (std::size_t i = 0; i < count; ++i)
                    run.start[i] = matrix * next_matrix[i] + row * run.next_row[i] + column * run.step[i];
                apply(run);
                run.at += run.size();
            }
        }
    }
}

/// A result lies nowhere where an operand does: the compiler need not look.
template <class Function, class... Elements>
void compute_row(double* __restrict to, Index columns, const Elements&... elements) {
    for (Index i = 0; i < columns; ++i)
        to[i] = Function::value({elements(i)...});
}

/// `Function::value` of a run, with the elements of the first operands. Each operand either goes on by 1 or
/// has one number in a row: the compiler has a loop for each case, which it can do in vectors.
template <class Function, std::size_t count, class... Elements>
void compute_run(const OperationCall& call, const ElementRun<count>& run, double* to,
                 const Elements&... elements) {
    constexpr std::size_t operand = sizeof...(Elements);
    if constexpr (operand == count) {
        for (Index row = 0; row < run.rows; ++row)
            compute_row<Function>(to + row * run.columns, run.columns, elements(row)...);
    } else {
        const double* from = call.operands[operand].numbers + run.start[operand];
        const Index next = run.next_row[operand];
        if (run.step[operand] == 1)
            compute_run<Function>(call, run, to, elements..., [from, next](Index row) {
                return [numbers = from + row * next](Index i) { return numbers[i]; };
            });
        else
            compute_run<Function>(call, run, to, elements..., [from, next](Index row) {
                return [number = from[row * next]](Index) { return number; };
            });
    }
}

template <class Function>
void run_elements(const OperationCall& call, double* result) {
    constexpr std::size_t count = operand_count<Function>;
    for_each_run<count>(call, [&](const ElementRun<count>& run) {
        if constexpr (HasKernel<Function>)
            Function::fill(call.operands[0].numbers + run.start[0], run.size(), result + run.at);
        else
            compute_run<Function>(call, run, result + run.at);
    });
}

/// Slopes for which a function of the library is called: not where nothing comes back.
template <class Function>
concept HasSlowSlopes = requires {
    Function::are_slopes_slow;
};

/// Adds gradient times the slope by one operand to that operand's gradient. Where one of the two is 0 nothing
/// is added, even if the other is infinite: the root of a 0 that was not chosen.
template <class Function, class Slope>
void add_slopes(const double* gradient, Index size, Index step, double* __restrict sum, const Slope& slope) {
    const auto added = [&](Index i) {
        if constexpr (HasSlowSlopes<Function>)
            if (gradient[i] == 0)
                return 0.0;
        // The product is there in any case, so that the compiler has vectors of it.
        const double by = slope(i), change = gradient[i] * by;
        return gradient[i] == 0 || by == 0 ? 0.0 : change;
    };
    if (step == 1) {
        for (Index i = 0; i < size; ++i)
            sum[i] += added(i);
    } else {
        double all = *sum;
        for (Index i = 0; i < size; ++i)
            all += added(i);
        *sum = all;
    }
}

/// `Function::slopes(x, result)` of a run, as compute_run() has the elements of x.
template <class Function, std::size_t count, class... Elements>
void backward_run(const OperationCall& call, const ElementRun<count>& run, const double* result,
                  const double* gradient, std::span<double* const> gradients, const Elements&... elements) {
    constexpr std::size_t operand = sizeof...(Elements);
    if constexpr (operand == count) {
        const auto add = [&]<std::size_t by>(std::integral_constant<std::size_t, by>) {
            if (gradients[by])
                for (Index row = 0; row < run.rows; ++row)
                    [&](const auto&... of_row) {
                        const double* values = result + row * run.columns;
                        add_slopes<Function>(
                            gradient + row * run.columns, run.columns, run.step[by],
                            gradients[by] + run.start[by] + row * run.next_row[by],
                            [&](Index i) { return Function::slopes({of_row(i)...}, values[i])[by]; });
                    }(elements(row)...);
        };
        [&]<std::size_t... by>(std::index_sequence<by...>) {
            (add(std::integral_constant<std::size_t, by>()), ...);
        }
        (std::make_index_sequence<count>());
    } else {
        const double* from = call.operands[operand].numbers + run.start[operand];
        const Index next = run.next_row[operand];
        if (run.step[operand] == 1)
            backward_run<Function>(call, run, result, gradient, gradients, elements...,
                                   [from, next](Index row) {
                                       return [numbers = from + row * next](Index i) { return numbers[i]; };
                                   });
        else
            backward_run<Function>(
                call, run, result, gradient, gradients, elements...,
                [from, next](Index row) { return [number = from[row * next]](Index) { return number; }; });
    }
}

template <class Function>
void backward_elements(const OperationCall& call, const double* result, const double* gradient,
                       std::span<double* const> gradients) {
    for_each_run<operand_count<Function>>(call, [&](const auto& run) {
        backward_run<Function>(call, run, result + run.at, gradient + run.at, gradients);
    });
}

inline Extent met_shape(const ExpressionNode& /*node*/, std::span<const Extent> operands) {
    Extent extent = operands.front();
    for (const Extent& each : operands)
        extent = broadcast(extent, each);
    return extent;
}

template <class Function>
OperationDescription element_operation(Operation operation, std::string_view name,
                                       const PythonSpelling& python, const CellSpelling& cell) {
    return {.operation = operation,
            .name = name,
            .family = OperationFamily::elements,
            .shape = met_shape,
            .axes = axes_that_meet,
            .run = run_elements<Function>,
            .python = python,
            .cell = cell};
}

/// A function that has slopes.
template <class Function>
OperationDescription smooth(Operation operation, std::string_view name, const PythonSpelling& python,
                            const CellSpelling& cell) {
    OperationDescription row = element_operation<Function>(operation, name, python, cell);
    row.backward = backward_elements<Function>;
    return row;
}

/// The same of one that is a file of its own, which has its name from that.
template <class Function>
OperationDescription smooth(const PythonSpelling& python, const CellSpelling& cell) {
    return smooth<Function>({}, {}, python, cell);
}

/// A function that is level but for leaps.
template <class Function>
OperationDescription stepped(Operation operation, std::string_view name, std::string_view reason,
                             const PythonSpelling& python, const CellSpelling& cell) {
    OperationDescription row = element_operation<Function>(operation, name, python, cell);
    row.no_derivative = reason;
    return row;
}

template <class Function>
OperationDescription truth(Operation operation, std::string_view name, const PythonSpelling& python,
                           const CellSpelling& cell) {
    OperationDescription row = stepped<Function>(
        operation, name, "true or false does not change with small changes of what is compared", python,
        cell);
    row.is_truth = true;
    row.print = {.form = PrintSpelling::Form::number, .symbols = {""}};
    return row;
}

inline PythonSpelling python_call(const char* name) { return {.form = PythonForm::call, .numpy = name}; }
inline CellSpelling cell_call(const char* name) { return {.form = CellForm::call, .word = name}; }

inline PythonSpelling python_sign(const char* sign, PythonBinding binding, PythonBinding right) {
    return {.form = PythonForm::sign, .numpy = sign, .binding = binding, .left = binding, .right = right};
}
inline CellSpelling cell_sign(const char* sign, CellBinding binding, CellBinding right) {
    return {.form = CellForm::sign, .word = sign, .binding = binding, .right = right};
}
inline PythonSpelling python_comparison(const char* sign) {
    return python_sign(sign, PythonBinding::comparison, PythonBinding::sum);
}
inline CellSpelling cell_comparison(const char* sign) {
    return cell_sign(sign, CellBinding::compared, CellBinding::added);
}
inline PythonSpelling python_pattern(const char* text, PythonBinding binding = PythonBinding::atom) {
    return {.form = PythonForm::pattern, .pattern = {text, binding}};
}
inline CellSpelling cell_pattern(const char* text, CellBinding binding = CellBinding::whole) {
    return {.form = CellForm::pattern, .pattern = {text, binding}};
}

/// People write it like this, with names and with numbers.
inline OperationDescription with_print(const char* text, PrintBinding binding, OperationDescription row) {
    row.print.form = PrintSpelling::Form::pattern;
    row.print.pattern = {text, binding};
    return row;
}
inline OperationDescription with_print(const char* text, OperationDescription row) {
    return with_print(text, PrintBinding::whole, std::move(row));
}
/// A constant second operand of this number is not written.
inline OperationDescription with_neutral(double number, OperationDescription row) {
    row.print.neutral = number;
    return row;
}

/// People write it as a function of this name.
inline OperationDescription with_symbol(std::string_view symbol, OperationDescription row) {
    row.symbol = symbol;
    return row;
}

}  // namespace headlight::each_element
