#pragma once

#include "core/attention/arithmetic_text.h"
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
    /// "1.84 / √64", or words where no arithmetic is shown. Long sums keep their first and last terms.
    std::string expression;
    double value = 0;
    /// `value` as it is printed: what a reader gets who calculates `expression` (printed_line.h).
    std::string result = {};
};

/// How the number at (row, column) of a stage came about, from the token vectors' products to that number,
/// with the numbers of this run. For `weights`: products, score, scaled score, bias, mask, exponential, row
/// sum, weight. For rank-2 stages `head` is ignored. Rows of the energy are pairs: query x keys + key. Throws
/// Error for a stage or cell that the trace does not have.
std::vector<ArithmeticStep> explain_cell(const Plan& plan, const Trace& trace, std::string_view stage,
                                         Index head, Index row, Index column);

}  // namespace headlight
