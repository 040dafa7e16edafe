#pragma once

#include "core/figure/largest_cells.h"

#include <optional>
#include <vector>

namespace headlight {

/// What a rectangle of a panel's cells adds up to.
struct BlockSums {
    double sum = 0;                      ///< of the finite numbers
    Index left_out = 0;                  ///< cells that are forbidden, or have no finite number
    std::optional<LargestCell> largest;  ///< of the finite numbers; of equal ones the first
};

/// Returns the sums of the cells of `block`, which must lie inside `panel`. A large map is read row by row:
/// it may take a moment, can be interrupted, and throws what its source does.
BlockSums block_sums(const Panel& panel, const MapBlock& block);

/// The numbers of these cells [block.rows, block.columns]; as many are copied or read.
std::vector<double> block_numbers(const Panel& panel, const MapBlock& block);

}  // namespace headlight
