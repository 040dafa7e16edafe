#pragma once

#include "core/figure/figure.h"

#include <vector>

namespace headlight {

struct LargestCell {
    Index row = 0, column = 0;  ///< of the panel
    double value = 0;           ///< to seven digits
};

/// The cells with the largest finite numbers, largest first; equal ones from the top left. Of a large map the
/// tiles that lead to them are made: it may take a moment, and can be interrupted.
std::vector<LargestCell> largest_cells(const Panel& panel, std::size_t count);

}  // namespace headlight
