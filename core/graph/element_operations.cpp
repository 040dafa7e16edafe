// Operations on elements, which meet as in NumPy. Each is a function of numbers beside its slopes: the
// derivatives by each of them.
#include "core/graph/element_rows.h"
#include "core/graph/graph_kernels.h"

#include <cmath>

namespace headlight {
namespace {

using namespace each_element;

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
/// The library takes thirty times as long for the powers that most formulas have.
double to_power(double x, double exponent) {
    return exponent == 1 ? x : exponent == 2 ? x * x : std::pow(x, exponent);
}
struct Power {
    static constexpr bool are_slopes_slow = true;
    static double value(const Two& x) { return to_power(x[0], x[1]); }
    static Two slopes(const Two& x, double y) {
        return {x[1] == 0 ? 0 : x[1] * to_power(x[0], x[1] - 1), x[0] > 0 ? y * std::log(x[0]) : 0};
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
        with_symbol("exp", smooth<Exponential>(Operation::exponential, "exponential", python_call("exp"),
                                               cell_call("EXP"))),
        with_symbol(
            "ln", smooth<Logarithm>(Operation::logarithm, "logarithm", python_call("log"), cell_call("LN"))),
        smooth<LogarithmOfMore>(Operation::logarithm_of_more, "logarithm of one more", python_call("log1p"),
                                {}),
        smooth<Root>(Operation::root, "root", {.numpy = "sqrt"}, cell_call("SQRT")),
        with_symbol("tanh", smooth<HyperbolicTangent>(Operation::hyperbolic_tangent, "hyperbolic tangent",
                                                      python_call("tanh"), cell_call("TANH"))),
        with_symbol("sin", smooth<Sine>(Operation::sine, "sine", python_call("sin"), cell_call("SIN"))),
        with_symbol("cos", smooth<Cosine>(Operation::cosine, "cosine", python_call("cos"), cell_call("COS"))),
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
