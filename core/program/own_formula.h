#pragma once

#include "core/attention/plan.h"

#include <map>
#include <string>

namespace headlight {

/// A mechanism as a formula that can be changed.
struct OwnFormula {
    AttentionSpec spec;  ///< with the algorithm "formula"
    std::string text;
    /// Numbers of parameters that the seed would not draw in the formula's run.
    std::map<std::string, Tensor> parameters;
};

/// The spec with the plainest formula in the place of the parts that a formula says: what stands around it,
/// token vectors, projections and heads, stays.
AttentionSpec formula_in_place_of(const AttentionSpec& spec);

/// The attention of a plan, from its queries, keys and values to its context, as a formula: its program's
/// lines; to its output where that is more than the contexts projected. What follows from places alone is
/// written as numbers, which fit texts of that many tokens; a formula that was typed stays as it is. Throws
/// Error for weights that were set by hand, and for more such numbers than a person reads.
OwnFormula own_formula(const Plan& plan);

/// Its lines alone, also where rows were given, as those that a model went on with are: how they follow from
/// the scores. Throws Error where own_formula() does for another reason.
std::string formula_lines(const Plan& plan);

}  // namespace headlight
