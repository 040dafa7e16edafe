#pragma once

#include "core/attention/arithmetic_text.h"

#include <span>
#include <string>
#include <vector>

namespace headlight {

/// Both sides of a line of arithmetic as they are printed.
struct PrintedLine {
    std::string expression;  ///< "0.038774 / 1.0388"
    std::string result;      ///< "0.03733"
};

/// A line of arithmetic before its digits are chosen, and what it comes to.
struct UnprintedLine {
    Arithmetic expression;
    double value = 0;
};

/// Rounds the lines of one cell so that each adds up: who calculates an expression with the digits that it
/// shows gets its result to its last digit. Results have 4 digits and the operands of all lines the same
/// number of digits, as many as that takes and 4 at least. A line has more for itself where it needs more
/// than a reader wants everywhere (7, those of a float); where 15 are not enough because terms cancel, it
/// says that what is left is rounding. Words have no digits to choose.
std::vector<PrintedLine> printed_lines(std::span<const UnprintedLine> lines);

}  // namespace headlight
