#pragma once

#include "core/attention/explain.h"
#include "tests/support/calculator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace headlight::test {

inline std::string line_of(const ArithmeticStep& step) {
    return step.stage + ", " + step.name + ": " + step.expression + " = " + step.result;
}

/// A sign of arithmetic beside a digit: what is no calculation has to say so in words.
inline bool looks_calculated(const std::string& text) {
    const std::size_t equals = text.rfind(" = ");
    const std::string side = equals == text.npos ? text : text.substr(equals + 3);
    for (const std::string_view sign : {" + ", " − ", " × ", " / ", "^", "²"})
        for (std::size_t at = side.find(sign); at != side.npos; at = side.find(sign, at + 1))
            if (at > 0 && std::isdigit(static_cast<unsigned char>(side[at - 1])))
                return true;
    for (const std::string_view function : {"exp(", "ln(", "tanh(", "sin(", "cos(", "arctan(", "erf(",
                                            "sigmoid(", "softplus(", "min(", "max(", "√", "|"})
        for (std::size_t at = side.find(function); at != side.npos; at = side.find(function, at + 1))
            if (std::isdigit(
                    static_cast<unsigned char>(side[std::min(at + function.size(), side.size() - 1)])))
                return true;
    return false;
}

/// One unit of the last digit that `result` was rounded to: numbers are printed to 4 digits, on the edge
/// between two to fewer, and drop the zeros at their end.
inline double unit_of(const std::string& result, double value, double printed) {
    for (int digits = 4; digits > 1; --digits)
        if (result == format_number(value, digits) && printed != 0) {
            const double unit = std::pow(10, std::floor(std::log10(std::abs(printed))) - digits + 1);
            return std::abs(value) < 1e6 ? std::min(unit, 1.0) : unit;
        }
    return 0;
}

/// Both sides of what is printed are the same number at the precision of the right one, and that is the
/// recorded number. `rounding` is what a sum whose terms cancel may miss by: more where a model's numbers are
/// floats.
inline testing::AssertionResult adds_up(const ArithmeticStep& step, double rounding = 1e-9) {
    const auto wrong = [&](const std::string& why) {
        return testing::AssertionFailure() << line_of(step) << "  -- " << why << ", recorded " << step.value;
    };
    const auto left = Calculator::value(step.expression);
    if (!left)
        return looks_calculated(step.expression) ? wrong("no calculator reads this")
                                                 : testing::AssertionSuccess();
    const auto right = Calculator::value(step.result);
    if (!right)
        return wrong("the result is no number");
    if (!std::isfinite(step.value))
        return *left == step.value || std::isnan(step.value) ? testing::AssertionSuccess()
                                                             : wrong("not the same");
    const double unit = unit_of(step.result, step.value, *right), slack = 1e-9 * std::abs(step.value);
    if (step.value != 0 && unit == 0)
        return wrong("the result is not the recorded number");
    if (step.expression.ends_with(", but for rounding"))
        return std::abs(*left - step.value) < rounding ? testing::AssertionSuccess()
                                                       : wrong("more than rounding");
    if (step.value == 0 && std::abs(*left) < std::numeric_limits<double>::min())
        return testing::AssertionSuccess();  // exponentials of the kernels have no numbers below the normal
                                             // ones
    if (std::abs(*left - *right) > 0.5 * unit + slack)
        return wrong("the left side comes to " + std::to_string(*left));
    return testing::AssertionSuccess();
}

}  // namespace headlight::test
