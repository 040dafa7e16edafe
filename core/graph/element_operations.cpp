// Operations on elements, which meet as in NumPy. Each is a function of numbers beside its slopes: the
// derivatives by each of them.
#include "core/graph/graph_kernels.h"
#include "core/graph/operation.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace headlight {
namespace {

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

Extent met_shape(const ExpressionNode& /*node*/, std::span<const Extent> operands) {
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

PythonSpelling python_call(const char* name) { return {.form = PythonForm::call, .numpy = name}; }
CellSpelling cell_call(const char* name) { return {.form = CellForm::call, .word = name}; }

PythonSpelling python_sign(const char* sign, PythonBinding binding, PythonBinding right) {
    return {.form = PythonForm::sign, .numpy = sign, .binding = binding, .left = binding, .right = right};
}
CellSpelling cell_sign(const char* sign, CellBinding binding, CellBinding right) {
    return {.form = CellForm::sign, .word = sign, .binding = binding, .right = right};
}
PythonSpelling python_comparison(const char* sign) {
    return python_sign(sign, PythonBinding::comparison, PythonBinding::sum);
}
CellSpelling cell_comparison(const char* sign) {
    return cell_sign(sign, CellBinding::compared, CellBinding::added);
}

/// The share of a smaller or larger one's gradient that goes to one of two numbers: of equal ones half, as in
/// PyTorch, so that softplus and sigmoid, which are made of them, have their slopes at 0 as well.
double share(bool is_it, bool are_equal) { return are_equal ? 0.5 : is_it ? 1 : 0; }

// y is the value.
struct Negate {
    static double value(const One& x) { return -x[0]; }
    static One slopes(const One& /*x*/, double /*y*/) { return {-1}; }
};
struct Exponential {
    static void fill(const double* from, Index count, double* to) {
        graph_arithmetic().exponential(from, count, to);
    }
    static One slopes(const One& /*x*/, double y) { return {y}; }
};
struct Logarithm {
    static double value(const One& x) { return std::log(x[0]); }
    static One slopes(const One& x, double /*y*/) { return {1 / x[0]}; }
};
struct LogarithmOfMore {
    static double value(const One& x) { return std::log1p(x[0]); }
    static One slopes(const One& x, double /*y*/) { return {1 / (1 + x[0])}; }
};
struct Root {
    static double value(const One& x) { return std::sqrt(x[0]); }
    static One slopes(const One& /*x*/, double y) { return {0.5 / y}; }
};
struct HyperbolicTangent {
    static void fill(const double* from, Index count, double* to) {
        std::copy_n(from, count, to);
        graph_kernels().activate(Activation::tanh, to, count);
    }
    static One slopes(const One& /*x*/, double y) { return {1 - y * y}; }
};
struct Sine {
    static double value(const One& x) { return std::sin(x[0]); }
    static One slopes(const One& x, double /*y*/) { return {std::cos(x[0])}; }
};
struct Cosine {
    static double value(const One& x) { return std::cos(x[0]); }
    static One slopes(const One& x, double /*y*/) { return {-std::sin(x[0])}; }
};
struct ArcTangent {
    static double value(const One& x) { return std::atan(x[0]); }
    static One slopes(const One& x, double /*y*/) { return {1 / (1 + x[0] * x[0])}; }
};
struct ErrorFunction {
    static double value(const One& x) { return std::erf(x[0]); }
    static One slopes(const One& x, double /*y*/) {
        return {2 * std::numbers::inv_sqrtpi * std::exp(-x[0] * x[0])};
    }
};
struct Absolute {
    static double value(const One& x) { return std::abs(x[0]); }
    static One slopes(const One& x, double /*y*/) { return {x[0] > 0 ? 1.0 : x[0] < 0 ? -1.0 : 0.0}; }
};
struct Floor {
    static double value(const One& x) { return std::floor(x[0]); }
};
struct Add {
    static double value(const Two& x) { return x[0] + x[1]; }
    static Two slopes(const Two& /*x*/, double /*y*/) { return {1, 1}; }
};
struct Subtract {
    static double value(const Two& x) { return x[0] - x[1]; }
    static Two slopes(const Two& /*x*/, double /*y*/) { return {1, -1}; }
};
struct Multiply {
    static double value(const Two& x) { return x[0] * x[1]; }
    static Two slopes(const Two& x, double /*y*/) { return {x[1], x[0]}; }
};
struct Divide {
    static double value(const Two& x) { return x[0] / x[1]; }
    static Two slopes(const Two& x, double y) { return {1 / x[1], -y / x[1]}; }
};
struct Power {
    static double value(const Two& x) { return std::pow(x[0], x[1]); }
    static Two slopes(const Two& x, double y) {
        return {x[1] == 0 ? 0 : x[1] * std::pow(x[0], x[1] - 1), x[0] > 0 ? y * std::log(x[0]) : 0};
    }
};
struct Minimum {
    static double value(const Two& x) { return std::min(x[0], x[1]); }
    static Two slopes(const Two& x, double /*y*/) {
        return {share(x[0] < x[1], x[0] == x[1]), share(x[1] < x[0], x[0] == x[1])};
    }
};
struct Maximum {
    static double value(const Two& x) { return std::max(x[0], x[1]); }
    static Two slopes(const Two& x, double /*y*/) {
        return {share(x[0] > x[1], x[0] == x[1]), share(x[1] > x[0], x[0] == x[1])};
    }
};
struct Above {
    static double value(const Two& x) { return x[0] > x[1] ? 1 : 0; }
};
struct AtLeast {
    static double value(const Two& x) { return x[0] >= x[1] ? 1 : 0; }
};
struct Equal {
    static double value(const Two& x) { return x[0] == x[1] ? 1 : 0; }
};
struct Both {
    static double value(const Two& x) { return x[0] != 0 && x[1] != 0 ? 1 : 0; }
};
/// The condition changes only by leaps, and passes no gradient.
struct Choose {
    static double value(const Three& x) { return x[0] != 0 ? x[1] : x[2]; }
    static Three slopes(const Three& x, double /*y*/) { return x[0] != 0 ? Three{0, 1, 0} : Three{0, 0, 1}; }
};

}  // namespace

std::span<const OperationDescription> element_operations() {
    static const std::array table{
        smooth<Negate>(Operation::negate, "negate", {}, {}),
        smooth<Exponential>(Operation::exponential, "exponential", python_call("exp"), cell_call("EXP")),
        smooth<Logarithm>(Operation::logarithm, "logarithm", python_call("log"), cell_call("LN")),
        smooth<LogarithmOfMore>(Operation::logarithm_of_more, "logarithm of one more", python_call("log1p"),
                                {}),
        smooth<Root>(Operation::root, "root", {.numpy = "sqrt"}, cell_call("SQRT")),
        smooth<HyperbolicTangent>(Operation::hyperbolic_tangent, "hyperbolic tangent", python_call("tanh"),
                                  cell_call("TANH")),
        smooth<Sine>(Operation::sine, "sine", python_call("sin"), cell_call("SIN")),
        smooth<Cosine>(Operation::cosine, "cosine", python_call("cos"), cell_call("COS")),
        smooth<ArcTangent>(Operation::arc_tangent, "arc tangent", python_call("arctan"), cell_call("ATAN")),
        smooth<ErrorFunction>(Operation::error_function, "error function", {}, cell_call("ERF")),
        smooth<Absolute>(Operation::absolute, "absolute", python_call("abs"), cell_call("ABS")),
        stepped<Floor>(Operation::floor, "floor", "a whole number does not change with small changes",
                       python_call("floor"), cell_call("INT")),
        smooth<Add>(Operation::add, "add", python_sign("+", PythonBinding::sum, PythonBinding::term),
                    cell_sign("+", CellBinding::added, CellBinding::added)),
        smooth<Subtract>(Operation::subtract, "subtract",
                         python_sign("-", PythonBinding::sum, PythonBinding::term),
                         cell_sign("-", CellBinding::added, CellBinding::multiplied)),
        smooth<Multiply>(Operation::multiply, "multiply",
                         python_sign("*", PythonBinding::term, PythonBinding::sign),
                         cell_sign("*", CellBinding::multiplied, CellBinding::whole)),
        smooth<Divide>(Operation::divide, "divide",
                       python_sign("/", PythonBinding::term, PythonBinding::sign),
                       cell_sign("/", CellBinding::multiplied, CellBinding::whole)),
        smooth<Power>(Operation::power, "power",
                      {.form = PythonForm::sign, .numpy = "**", .binding = PythonBinding::powers},
                      cell_call("POWER")),
        smooth<Minimum>(Operation::minimum, "minimum", {.numpy = "minimum"}, {.word = "MIN"}),
        smooth<Maximum>(Operation::maximum, "maximum", {.numpy = "maximum"}, {.word = "MAX"}),
        truth<Above>(Operation::above, "above", python_comparison(">"), cell_comparison(">")),
        truth<AtLeast>(Operation::at_least, "at least", python_comparison(">="), cell_comparison(">=")),
        truth<Equal>(Operation::equal, "equal", python_comparison("=="), cell_comparison("=")),
        truth<Both>(Operation::both, "both", python_call("logical_and"), {.word = "AND"}),
        smooth<Choose>(Operation::choose, "choose", {.numpy = "where"}, cell_call("IF")),
    };
    return table;
}

}  // namespace headlight
