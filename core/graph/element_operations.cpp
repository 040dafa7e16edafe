// Operations on elements, which meet as in NumPy. Each is a function of numbers beside its slopes: the
// derivatives by each of them.
#include "core/graph/graph_kernels.h"
#include "core/graph/operation.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>
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
};

/// Calls `apply(run)` for rows of the result; for longer runs, matrices or all of them, where each operand
/// goes on with it or is a single number, since rows of a few columns would be too many.
template <std::size_t count, class Do>
void for_each_run(const OperationCall& call, const Do& apply) {
    constexpr Index longest = 4096;
    const Index size = call.extent.size(), of_matrix = call.extent.rows * call.extent.columns;
    const auto all_are = [&](const auto& size_of, Index whole) {
        return std::ranges::all_of(call.operands, [&](const OperandNumbers& operand) {
            return size_of(operand.extent) == whole || size_of(operand.extent) == 1;
        });
    };
    const auto size_of_all = [](const Extent& extent) { return extent.size(); };
    const auto size_of_matrix = [](const Extent& extent) { return extent.rows * extent.columns; };
    const bool is_plain = all_are(size_of_all, size),
               is_by_matrix = !is_plain && all_are(size_of_matrix, of_matrix);
    const Index columns = is_plain ? size : is_by_matrix ? of_matrix : call.extent.columns;
    ElementRun<count> run;
    Place place;
    for (; run.at < size; run.at += run.size) {
        Interruption::check();
        run.size = std::min(columns - place.column, longest);
        for (std::size_t i = 0; i < count; ++i) {
            const Extent& extent = call.operands[i].extent;
            const Index whole = is_plain       ? extent.size()
                                : is_by_matrix ? size_of_matrix(extent)
                                               : extent.columns;
            run.step[i] = whole == 1 ? 0 : 1;
            run.start[i] = place.column * run.step[i];
            if (!is_plain)
                run.start[i] += index_of(extent, {place.head, place.row, 0});
        }
        apply(run);
        place.column += run.size;
        if (place.column < columns)
            continue;
        place.column = 0;
        if (is_by_matrix || ++place.row == call.extent.rows) {
            place.row = 0;
            ++place.head;
        }
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

/// Slopes for which a function of the library is called: not where nothing comes back.
template <class Function>
concept HasSlowSlopes = requires {
    Function::are_slopes_slow;
};

/// Adds gradient times the slope by one operand to that operand's gradient. Where one of the two is 0 nothing
/// is added, even if the other is infinite: the root of a 0 that was not chosen.
template <class Function, class Slope>
void add_slopes(const double* gradient, Index size, Index step, double* sum, const Slope& slope) {
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
                add_slopes<Function>(
                    gradient, run.size, run.step[by], gradients[by] + run.start[by],
                    [&](Index i) { return Function::slopes({elements(i)...}, result[i])[by]; });
        };
        [&]<std::size_t... by>(std::index_sequence<by...>) {
            (add(std::integral_constant<std::size_t, by>()), ...);
        }
        (std::make_index_sequence<count>());
    } else {
        const double* from = call.operands[operand].numbers + run.start[operand];
        if (run.step[operand] == 1)
            backward_run<Function>(call, run, result, gradient, gradients, elements...,
                                   [from](Index i) { return from[i]; });
        else
            backward_run<Function>(call, run, result, gradient, gradients, elements...,
                                   [number = *from](Index) { return number; });
    }
}

template <class Function>
void backward_elements(const OperationCall& call, const double* result, const double* gradient,
                       std::span<double* const> gradients) {
    for_each_run<operand_count<Function>>(call, [&](const auto& run) {
        backward_run<Function>(call, run, result + run.at, gradient + run.at, gradients);
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
    static constexpr bool are_slopes_slow = true;
    static double value(const One& x) { return std::sin(x[0]); }
    static One slopes(const One& x, double /*y*/) { return {std::cos(x[0])}; }
};
struct Cosine {
    static constexpr bool are_slopes_slow = true;
    static double value(const One& x) { return std::cos(x[0]); }
    static One slopes(const One& x, double /*y*/) { return {-std::sin(x[0])}; }
};
struct ArcTangent {
    static double value(const One& x) { return std::atan(x[0]); }
    static One slopes(const One& x, double /*y*/) { return {1 / (1 + x[0] * x[0])}; }
};
struct ErrorFunction {
    static constexpr bool are_slopes_slow = true;
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
    static constexpr bool are_slopes_slow = true;
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
