#include "core/attention/printed_line.h"

#include "core/attention/calculated.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr int usual_digits = 4;
constexpr int most_digits = 15;  // that a double has for certain
constexpr int most_shared_digits = 7;

/// Whether the rounding of a run explains that the line, calculated in full, misses the value: what comes to
/// light when its operands are rounded to float, as a model's are, and what double arithmetic loses.
bool is_rounding(const Arithmetic& expression, const Calculated& exact, double value) {
    constexpr int digits_of_float = 7;
    const auto rounded = calculate(expression.text(digits_of_float));
    const double of_floats = rounded ? 10 * std::abs(rounded->value - exact.value) : 0;
    return std::abs(exact.value - value) <= of_floats + 1e-14 * exact.largest;
}

/// The fewest digits of the operands, `least` of them or more, with which both sides agree when the result
/// has `digits`; 0 when none do.
int operand_digits(const Arithmetic& expression, const std::string& result, int digits,
                   int least = usual_digits) {
    for (int operands = least; operands <= most_digits; ++operands) {
        const auto calculated = calculate(expression.text(operands));
        if (calculated && format_number(calculated->value, digits) == result)
            return operands;
    }
    return 0;
}

/// The digits of a line by itself.
struct LineDigits {
    int operands = usual_digits;
    int result = usual_digits;
    /// Whether the sides agree with these digits and may do so with more; not of words, which take any, and
    /// not where only rounding is left.
    bool adds_up = false;
    bool is_words = false;
    bool is_but_for_rounding = false;
};

LineDigits digits_of(const UnprintedLine& line) {
    if (!calculate(line.expression.text(usual_digits)))
        return {.is_words = true};
    const auto result_with = [&](int digits) { return format_number(line.value, digits); };
    if (const int operands = operand_digits(line.expression, result_with(usual_digits), usual_digits))
        return {.operands = operands, .adds_up = true};
    const auto exact = calculate(line.expression.text(most_digits));
    if (!exact || !is_rounding(line.expression, *exact, line.value))
        return {};
    // The last digit lies on the edge between two, and the rounding of the run fell to the other side.
    for (int digits = usual_digits - 1; digits > 1; --digits)
        if (const int operands = operand_digits(line.expression, result_with(digits), digits))
            return {.operands = operands, .result = digits, .adds_up = true};
    constexpr double nothing = 1e-9;  // beside numbers around 1, of which the terms cancel
    int operands = usual_digits;
    while (operands < most_digits &&
           std::abs(calculate(line.expression.text(operands))->value - line.value) >= nothing)
        ++operands;
    return {.operands = operands, .is_but_for_rounding = true};
}

/// The line with `shared` digits where it adds up with them or a few more; else with its own.
PrintedLine printed(const UnprintedLine& line, const LineDigits& own, int shared) {
    const std::string result = format_number(line.value, own.result);
    int operands = own.operands;
    if (own.is_words)
        operands = shared;
    else if (own.adds_up && own.operands < shared)
        if (const int more = operand_digits(line.expression, result, own.result, shared))
            operands = more;
    return {line.expression.text(operands) + (own.is_but_for_rounding ? ", but for rounding" : ""), result};
}

}  // namespace

std::vector<PrintedLine> printed_lines(std::span<const UnprintedLine> lines) {
    std::vector<LineDigits> digits;
    int shared = usual_digits;
    for (const UnprintedLine& line : lines) {
        digits.push_back(digits_of(line));
        if (digits.back().adds_up && digits.back().operands <= most_shared_digits)
            shared = std::max(shared, digits.back().operands);
    }
    std::vector<PrintedLine> all;
    for (std::size_t i = 0; i < lines.size(); ++i)
        all.push_back(printed(lines[i], digits[i], shared));
    return all;
}

}  // namespace headlight
