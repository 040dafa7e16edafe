#include "core/attention/printed_line.h"

#include "core/attention/calculated.h"

#include <cmath>

namespace headlight {
namespace {

constexpr int usual_digits = 4;
constexpr int most_digits = 15;  // that a double has for certain

/// Whether the rounding of a run explains that the line, calculated in full, misses the value: what comes to
/// light when its operands are rounded to float, as a model's are, and what double arithmetic loses.
bool is_rounding(const Arithmetic& expression, const Calculated& exact, double value) {
    constexpr int digits_of_float = 7;
    const auto rounded = calculate(expression.text(digits_of_float));
    const double of_floats = rounded ? 10 * std::abs(rounded->value - exact.value) : 0;
    return std::abs(exact.value - value) <= of_floats + 1e-14 * exact.largest;
}

/// The fewest digits of the operands with which both sides agree when the result has `digits`; 0 when none
/// do.
int operand_digits(const Arithmetic& expression, const std::string& result, int digits) {
    for (int operands = usual_digits; operands <= most_digits; ++operands) {
        const auto calculated = calculate(expression.text(operands));
        if (calculated && format_number(calculated->value, digits) == result)
            return operands;
    }
    return 0;
}

}  // namespace

PrintedLine printed_line(const Arithmetic& expression, double value) {
    const PrintedLine as_usual{expression.text(usual_digits), format_number(value, usual_digits)};
    if (!calculate(as_usual.expression))
        return as_usual;
    if (const int operands = operand_digits(expression, as_usual.result, usual_digits))
        return {expression.text(operands), as_usual.result};
    const auto exact = calculate(expression.text(most_digits));
    if (!exact || !is_rounding(expression, *exact, value))
        return as_usual;
    // The last digit lies on the edge between two, and the rounding of the run fell to the other side.
    for (int digits = usual_digits - 1; digits > 1; --digits) {
        const std::string result = format_number(value, digits);
        if (const int operands = operand_digits(expression, result, digits))
            return {expression.text(operands), result};
    }
    constexpr double nothing = 1e-9;  // beside numbers around 1, of which the terms cancel
    int operands = usual_digits;
    while (operands < most_digits && std::abs(calculate(expression.text(operands))->value - value) >= nothing)
        ++operands;
    return {expression.text(operands) + ", but for rounding", as_usual.result};
}

}  // namespace headlight
