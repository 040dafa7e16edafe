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

/// Maps, and what is made of a context, that no line reads, zeros that were to be masks, and a softmax of
/// scores over the queries, in the order of the lines. Each may be meant: a stage to look at, a score of 0,
/// slots that compete. Throws as typed_formula() does for what its lines alone refuse.
std::vector<FormulaRemark> remarks_on(const TypedFormula& formula);

}  // namespace headlight
