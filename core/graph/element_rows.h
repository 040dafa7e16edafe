#pragma once

#include "core/graph/operation.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

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

/// Some elements of the result that follow one another, and where those of the operands lie: one after
/// another (step 1), or one for all of them (step 0).
template <std::size_t count>
struct ElementRun {
    Index at = 0, size = 0;
    std::array<Index, count> start = {}, step = {};

    Index place(std::size_t operand, Index i) const { return start[operand] + i * step[operand]; }
};

/// Calls `apply(run)` for rows of the result; for longer runs where each operand is as large as it or a
/// single number, since rows of a few columns would be too many.
template <std::size_t count, class Do>
void for_each_run(const OperationCall& call, const Do& apply) {
    constexpr Index longest = 4096;
    const Index size = call.extent.size();
    const bool is_plain = std::ranges::all_of(call.operands, [&](const OperandNumbers& operand) {
        return operand.extent.size() == size || operand.extent.size() == 1;
    });
    const Index columns = is_plain ? size : call.extent.columns;
    ElementRun<count> run;
    for (; run.at < size; run.at += run.size) {
        Interruption::check();
        const Index column = run.at % columns, row = run.at / columns;
        run.size = std::min(columns - column, longest);
        for (std::size_t i = 0; i < count; ++i) {
            const OperandNumbers& operand = call.operands[i];
            const bool is_one = is_plain ? operand.extent.size() == 1 : operand.extent.columns == 1;
            run.step[i] = is_one ? 0 : 1;
            run.start[i] = is_plain ? run.at * run.step[i]
                                    : operand.at({row / call.extent.rows, row % call.extent.rows, column});
        }
        apply(run);
    }
}

/// `Function::value` of a run, with the elements of the first operands. Each operand either goes on by 1 or
/// has one number: the compiler has a loop for each case, which it can do in vectors.
template <class Function, std::size_t count, class... Elements>
void compute_run(const OperationCall& call, const ElementRun<count>& run, double* to,
                 const Elements&... elements) {
    constexpr std::size_t operand = sizeof...(Elements);
    if constexpr (operand == count) {
        for (Index i = 0; i < run.size; ++i)
            to[i] = Function::value({elements(i)...});
    } else {
        const double* from = call.operands[operand].numbers + run.start[operand];
        if (run.step[operand] == 1)
            compute_run<Function>(call, run, to, elements..., [from](Index i) { return from[i]; });
        else
            compute_run<Function>(call, run, to, elements..., [number = *from](Index) { return number; });
    }
}

template <class Function>
void run_elements(const OperationCall& call, double* result) {
    constexpr std::size_t count = operand_count<Function>;
    for_each_run<count>(call, [&](const ElementRun<count>& run) {
        if constexpr (HasKernel<Function>)
            Function::fill(call.operands[0].numbers + run.start[0], run.size, result + run.at);
        else
            compute_run<Function>(call, run, result + run.at);
    });
}

/// Adds gradient times `Function::slopes(x, result)`. Where one of the two is 0 nothing is added, even if the
/// other is infinite: the root of a 0 that was not chosen.
template <class Function>
void backward_elements(const OperationCall& call, const double* result, const double* gradient,
                       std::span<double* const> gradients) {
    constexpr std::size_t count = operand_count<Function>;
    for_each_run<count>(call, [&](const ElementRun<count>& run) {
        for (Index i = 0; i < run.size; ++i) {
            if (gradient[run.at + i] == 0)
                continue;
            std::array<double, count> x;
            for (std::size_t operand = 0; operand < count; ++operand)
                x[operand] = call.operands[operand].numbers[run.place(operand, i)];
            const auto slopes = Function::slopes(x, result[run.at + i]);
            for (std::size_t operand = 0; operand < count; ++operand)
                if (gradients[operand] && slopes[operand] != 0)
                    gradients[operand][run.place(operand, i)] += gradient[run.at + i] * slopes[operand];
        }
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

/// People write it as a function of this name.
inline OperationDescription with_symbol(std::string_view symbol, OperationDescription row) {
    row.symbol = symbol;
    return row;
}

}  // namespace headlight::each_element
