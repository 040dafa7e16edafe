#pragma once

#include "core/graph/expression.h"
#include "core/graph/spelling.h"

#include <functional>
#include <string>

namespace headlight {

/// The value of a line. `name_of` has the last word on what a tensor is called; null: its name. Throws Error
/// for an operation without words.
std::string line_text(const Expression& value, LineWords words,
                      const std::function<std::string(const std::string&)>& name_of = nullptr);

/// "[2, 7, 4]" as the arguments of reshape(): "2, 7, 4".
std::string shape_list(const Extent& extent);

}  // namespace headlight
