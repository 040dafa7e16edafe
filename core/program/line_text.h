#pragma once

#include "core/graph/expression.h"

#include <string>

namespace headlight {

/// The words in which a line of a program is written.
enum class LineWords {
    numpy,
    torch,
    formula,  ///< what people type, and build_formula() reads
};

/// The value of a line. Throws Error for an operation without words.
std::string line_text(const Expression& value, LineWords words);

/// "[2, 7, 4]" as the arguments of reshape(): "2, 7, 4".
std::string shape_list(const Extent& extent);

}  // namespace headlight
