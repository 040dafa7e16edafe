#pragma once

#include <optional>
#include <string_view>

namespace headlight {

/// What a line of printed arithmetic comes to.
struct Calculated {
    double value = 0;
    double largest = 0;  ///< the largest number met on the way: rounding errors are shares of it
};

/// Calculates the last side of a printed line, "q · k = 1 × 0.5 + 2 × (−1)", up to a remark that follows
/// after a comma or a colon. Nothing for words. Knows + − × / ^ √ | | and brackets, exp, ln, tanh, sin, cos,
/// sigmoid, max(…), clip(x, low, high), and "[3 more: 0.5]" as the number that it names.
std::optional<Calculated> calculate(std::string_view line);

}  // namespace headlight
