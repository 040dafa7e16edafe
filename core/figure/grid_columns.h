#pragma once

#include "core/tensor/tensor.h"

namespace headlight {

/// How many columns show `count` panels of one shape best: no hole in the last row if possible, a little
/// wider than high. `height` is that of a row, in panels.
Index grid_columns(Index count, double height = 1);

}  // namespace headlight
