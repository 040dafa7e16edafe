#pragma once

#include "core/attention/arithmetic_text.h"

#include <string>

namespace headlight {

/// Both sides of a line of arithmetic as they are printed.
struct PrintedLine {
    std::string expression;  ///< "0.03877 / 1.039"
    std::string result;      ///< "0.03733"
};

/// Rounds the line so that it adds up: who calculates `expression` with the digits that it shows gets
/// `result` to its last digit. The result has 4 digits and the operands as many as that takes, 4 at least;
/// where 15 are not enough because terms cancel, the line says that what is left is rounding. Words have no
/// digits to choose.
PrintedLine printed_line(const Arithmetic& expression, double value);

}  // namespace headlight
