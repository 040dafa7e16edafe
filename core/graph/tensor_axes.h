#pragma once

#include "core/graph/program_part.h"

#include <map>
#include <string>

namespace headlight {

/// What an axis of a program's tensor counts.
enum class CountedAxis { tokens, features, unknown };

struct TensorAxes {
    CountedAxis rows = CountedAxis::unknown, columns = CountedAxis::unknown;
};

/// Returns the axes of numbers that a program begins with: token vectors have a row for each token and a
/// column for each feature; those of the others are not known.
TensorAxes axes_of(const GivenTensor& tensor);

/// Returns the axes of what follows from tensors whose axes are known: features stay features through W, and
/// the scores of queries and keys have a row and a column for each token, whatever their extents are.
TensorAxes axes_of(const Expression& x, const std::map<std::string, TensorAxes>& known);

}  // namespace headlight
