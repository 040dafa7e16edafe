#pragma once

#include "core/graph/program.h"

namespace headlight {

/// Returns the multiply-adds of the program's products of matrices, of features of pairs and of heads, each
/// as often as it is computed.
double multiply_adds_of(const Program& program);

}  // namespace headlight
