#pragma once

#include "core/attention/plan.h"
#include "core/attention/trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// One line of arithmetic on the way to a number.
struct ArithmeticStep {
    std::string stage;  ///< the stage whose cell `value` is: "scaled_scores"
    std::string name;   ///< "scaled score"
    std::string
        expression;  ///< "1.84 / √64"; long sums keep their first and last terms and say how many there are
    double value = 0;
};

/// How the number at (row, column) of a stage came about, from the token vectors' products to that number,
/// with the numbers of this run. For `weights`: products, score, scaled score, bias, mask, exponential, row
/// sum, weight. For rank-2 stages `head` is ignored. Rows of the energy are pairs: query x keys + key. Throws
/// Error for a stage or cell that the trace does not have.
std::vector<ArithmeticStep> explain_cell(const Plan& plan, const Trace& trace, std::string_view stage,
                                         Index head, Index row, Index column);

/// `value` with as many digits as a reader can use (4 significant), "−∞" and "NaN" spelled out, a true minus
/// sign.
std::string format_number(double value, int significant = 4);

}  // namespace headlight
