#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headlight {

// Arithmetic written out with the numbers of a run, in the signs that print uses: × − √ ∞ …

/// "0.12 × 0.33 + 0.5 × −0.11 + … + 0.2 × 0.4 (64 terms)": the first and last terms of a long sum, all of a
/// short one.
struct Factors {
    double left, right;
};
std::string sum_of_products(std::span<const Factors> terms);

/// "0.507 + 1 + … + 0.2 (6 terms)"
std::string sum_of(std::span<const double> terms);

/// "max(0.23, −0.4, …, 0.1) of 6"
std::string maximum_of(std::span<const double> numbers);

/// `text` and `number` joined by the sign that the number has: "0.23 + 0.5", "0.23 − ∞".
std::string plus(std::string_view text, double number);
std::string plus(double left, double right);
std::string minus(double left, double right);

}  // namespace headlight
