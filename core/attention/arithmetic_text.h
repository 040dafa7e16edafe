#pragma once

#include "core/graph/spelling.h"

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headlight {

// Arithmetic written out with the numbers of a run, in the signs that print uses: × − √ ∞ …

/// Words and numbers in turn. The numbers are not rounded yet: how many digits they need shows only when the
/// whole line and its result are known (printed_line.h).
class Arithmetic {
public:
    Arithmetic() = default;
    Arithmetic(std::string words);  // NOLINT: words are arithmetic without a number
    Arithmetic(const char* words) : Arithmetic(std::string(words)) {}  // NOLINT: likewise

    bool empty() const { return parts_.empty(); }
    /// With every number rounded to so many significant digits; a negative one is in brackets where it
    /// follows an operator: "2 × (−1)".
    std::string text(int significant) const;

    Arithmetic& operator+=(const Arithmetic& more);
    friend Arithmetic operator+(Arithmetic left, const Arithmetic& right) { return left += right; }
    friend Arithmetic written(double number);

private:
    std::vector<std::variant<std::string, double>> parts_;
};

/// A number of the run in a line of arithmetic.
Arithmetic written(double number);

/// "0.12 × 0.33 + 0.5 × (−0.11) + [61 more: 0.4] + 0.2 × 0.4": the first and last terms of a long sum and
/// what those between come to, all terms of a short one.
struct Factors {
    double left, right;
};
Arithmetic sum_of_products(std::span<const Factors> terms);
/// The same of two rows, as far as the shorter one goes.
Arithmetic sum_of_products(std::span<const double> left, std::span<const double> right);

/// Numbers as an operation lists them, cut like the terms of a sum.
Arithmetic list_of(std::span<const double> numbers, const PrintedList& list);

/// "0.507 + 1 + [3 more: 0.4] + 0.2"
Arithmetic sum_of(std::span<const double> terms);

/// "0.5 × 0.9 × [3 more: 0.4] × 0.2"
Arithmetic product_of(std::span<const double> factors);

/// "max(0.23, −0.4, [3 more: 0.5], 0.1)", with the largest of those between.
Arithmetic maximum_of(std::span<const double> numbers);

/// How tightly a place wants its operand to hold: "sum", "term"; without a word whatever it is.
PrintBinding binding_of(std::string_view wanted);

/// `text` and `number` joined by the sign that the number has: "0.23 + 0.5", "0.23 − ∞".
Arithmetic plus(Arithmetic text, double number);
Arithmetic plus(double left, double right);
Arithmetic minus(double left, double right);

/// `value` with as many digits as a reader can use (4 significant), "−∞" and "NaN" spelled out, a true minus
/// sign.
std::string format_number(double value, int significant = 4);

}  // namespace headlight
