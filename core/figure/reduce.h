#pragma once

#include "core/tensor/tensor.h"

#include <span>
#include <vector>

namespace headlight {

/// [rows, columns] made smaller by keeping of every block of cells the one that matters most, so that one
/// bright cell in a large map never vanishes: the largest number, or with `signed_numbers` the one furthest
/// from zero. Numbers win over minus infinity (forbidden), that wins over NaN (missing). Extents that are
/// small enough stay.
struct ReducedMatrix {
    Index rows = 0, columns = 0;
    std::vector<double> values;
};
ReducedMatrix reduce_keeping_extremes(std::span<const double> values, Index rows, Index columns,
                                      Index most_rows, Index most_columns, bool signed_numbers);

}  // namespace headlight
