#pragma once

#include "core/graph/program.h"

#include <string>

namespace headlight {

/// What `result` [.., n, d] takes of each row of `values` [.., m, d], as [.., n, m]: `result` with the
/// identity in the place of `values`, of which it is a sum in all features alike. What is added to that sum
/// has no part in it. Adds lines to the program, named as those that they stand for with `suffix` behind.
/// Throws Error{"read off weights", line, expected, got} where `result` is no such sum.
Expression read_off(Program& program, const Expression& result, const std::string& values,
                    const std::string& suffix);

}  // namespace headlight
