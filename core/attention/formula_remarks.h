#pragma once

#include "core/attention/typed_formula.h"

#include <string>
#include <vector>

namespace headlight {

/// What runs, and is probably not what was meant.
struct FormulaRemark {
    FormulaPlace place;
    std::string text;
};

/// Lines that no other reads, zeros that were to be masks, and a softmax over the queries, in the order of
/// the lines. Each may be meant: a line to look at, a score of 0, slots that compete.
std::vector<FormulaRemark> remarks_on(const TypedFormula& formula);

}  // namespace headlight
