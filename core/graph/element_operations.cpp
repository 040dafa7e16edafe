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
/// The library takes thirty times as long for the powers that most formulas and their slopes have.
double to_power(double x, double exponent) {
    return exponent == 0 ? 1 : exponent == 1 ? x : exponent == 2 ? x * x : std::pow(x, exponent);
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

bool is_literal(const Expression& x) { return x->operation == Operation::number; }

/// A root of a number alone is none of a tensor, which torch wants.
PythonPattern root_in_python(const ExpressionNode& node, LineWords words) {
    const bool is_of_number = words != LineWords::formula && is_literal(node.operands[0]);
    return is_of_number ? PythonPattern{"{0} ** 0.5", PythonBinding::powers} : PythonPattern{};
}

/// NumPy takes a number as either operand; torch wants clamp() for one.
PythonPattern clamped(const ExpressionNode& node, LineWords words, const char* of_numbers,
                      const char* of_first, const char* of_second) {
    const bool first = is_literal(node.operands[0]), second = is_literal(node.operands[1]);
    if (words != LineWords::torch || (!first && !second))
        return {};
    return {first && second ? of_numbers : first ? of_first : of_second};
}
PythonPattern minimum_in_python(const ExpressionNode& node, LineWords words) {
    return clamped(node, words, "min({0}, {1})", "{np}clamp({1}, max={0})", "{np}clamp({0}, max={1})");
}
PythonPattern maximum_in_python(const ExpressionNode& node, LineWords words) {
    return clamped(node, words, "max({0}, {1})", "{np}clamp({1}, min={0})", "{np}clamp({0}, min={1})");
}

PythonSpelling with_own(PythonPattern (*own)(const ExpressionNode&, LineWords), PythonSpelling python) {
    python.own = own;
    return python;
}
/// MIN, MAX and AND of an array are one number.
CellSpelling with_array(const char* text, CellBinding binding, CellSpelling cell) {
    cell.array = {text, binding};
    return cell;
}

OperationDescription with_sign(OperationDescription row) {
    row.print.symbols = {"−{0:term}", PrintBinding::sum};
    row.print.is_sign = true;
    return row;
}
OperationDescription that_commutes(OperationDescription row) {
    row.print.commutes = true;
    return row;
}
/// The side that was chosen is written.
OperationDescription as_chosen(OperationDescription row) {
    row.print.form = PrintSpelling::Form::structure;
    return row;
}

}  // namespace

std::span<const OperationDescription> element_operations() {
    static const std::array table{
        with_sign(with_print("−{0:whole}", PrintBinding::sum,
                             smooth<Negate>(Operation::negate, "negate",
                                            python_pattern("-{0:powers}", PythonBinding::sign),
                                            cell_pattern("(-{0:whole})")))),
        with_symbol("exp", smooth<Exponential>(Operation::exponential, "exponential", python_call("exp"),
                                               cell_call("EXP"))),
        with_symbol(
            "ln", smooth<Logarithm>(Operation::logarithm, "logarithm", python_call("log"), cell_call("LN"))),
        // Spreadsheets have it as half of this alone.
        with_print("ln(1 + {0})",
                   smooth<LogarithmOfMore>(
                       Operation::logarithm_of_more, "logarithm of one more", python_call("log1p"),
                       cell_pattern("2*ATANH({0:multiplied}/(2+{0:multiplied}))", CellBinding::multiplied))),
        with_print("√{0:whole}", smooth<Root>(Operation::root, "root",
                                              with_own(root_in_python, python_pattern("{np}sqrt({0})")),
                                              cell_call("SQRT"))),
        with_symbol("tanh", smooth<HyperbolicTangent>(Operation::hyperbolic_tangent, "hyperbolic tangent",
                                                      python_call("tanh"), cell_call("TANH"))),
        with_symbol("sin", smooth<Sine>(Operation::sine, "sine", python_call("sin"), cell_call("SIN"))),
        with_symbol("cos", smooth<Cosine>(Operation::cosine, "cosine", python_call("cos"), cell_call("COS"))),
        with_print("|{0}|",
                   smooth<Absolute>(Operation::absolute, "absolute", python_call("abs"), cell_call("ABS"))),
        with_print("⌊{0}⌋", stepped<Floor>(Operation::floor, "floor",
                                           "a whole number does not change with small changes",
                                           python_call("floor"), cell_call("INT"))),
        with_print("{0:sum}{1:added}", PrintBinding::sum,
                   smooth<Add>(Operation::add, "add",
                               python_sign("+", PythonBinding::sum, PythonBinding::term),
                               cell_sign("+", CellBinding::added, CellBinding::added))),
        with_print("{0:sum}{1:subtracted}", PrintBinding::sum,
                   smooth<Subtract>(Operation::subtract, "subtract",
                                    python_sign("-", PythonBinding::sum, PythonBinding::term),
                                    cell_sign("-", CellBinding::added, CellBinding::multiplied))),
        that_commutes(with_neutral(
            1, with_print("{0:term} × {1:term}", PrintBinding::term,
                          smooth<Multiply>(Operation::multiply, "multiply",
                                           python_sign("*", PythonBinding::term, PythonBinding::sign),
                                           cell_sign("*", CellBinding::multiplied, CellBinding::whole))))),
        with_neutral(1,
                     with_print("{0:term} / {1:whole}", PrintBinding::term,
                                smooth<Divide>(Operation::divide, "divide",
                                               python_sign("/", PythonBinding::term, PythonBinding::sign),
                                               cell_sign("/", CellBinding::multiplied, CellBinding::whole)))),
        with_neutral(
            1, with_print(
                   "{0:base}{1:exponent}", PrintBinding::term,
                   smooth<Power>(Operation::power, "power",
                                 {.form = PythonForm::sign, .numpy = "**", .binding = PythonBinding::powers},
                                 cell_call("POWER")))),
        with_print("min({0}, {1})",
                   smooth<Minimum>(Operation::minimum, "minimum",
                                   with_own(minimum_in_python, python_call("minimum")),
                                   with_array("IF({0:added}<{1:added};{0};{1})", CellBinding::whole,
                                              cell_pattern("MIN({0};{1})")))),
        with_print("max({0}, {1})",
                   smooth<Maximum>(Operation::maximum, "maximum",
                                   with_own(maximum_in_python, python_call("maximum")),
                                   with_array("IF({0:added}>{1:added};{0};{1})", CellBinding::whole,
                                              cell_pattern("MAX({0};{1})")))),
        truth<Above>(Operation::above, "above", python_comparison(">"), cell_comparison(">")),
        truth<AtLeast>(Operation::at_least, "at least", python_comparison(">="), cell_comparison(">=")),
        truth<Equal>(Operation::equal, "equal", python_comparison("=="), cell_comparison("=")),
        truth<Both>(Operation::both, "both", python_call("logical_and"),
                    with_array("({0})*({1})", CellBinding::multiplied, cell_pattern("AND({0};{1})"))),
        as_chosen(smooth<Choose>(Operation::choose, "choose",
                                 python_pattern("{np}where({0}, {1:real}, {2:real})"), cell_call("IF"))),
    };
    return table;
}

}  // namespace headlight
