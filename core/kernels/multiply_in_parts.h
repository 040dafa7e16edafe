#pragma once

#include "core/kernels/kernels.h"
#include "core/tensor/extents.h"
#include "core/tensor/interruption.h"

#include <algorithm>

namespace headlight::kernels {

/// Multiply-adds that pass between two questions for an interruption: 10 to 30 ms on one thread.
inline constexpr double longest_task = 0x1p26;

/// Returns how many rows of so much work a task may have, at most `most`.
inline Index rows_within(double row_work, Index most) {
    return std::clamp<Index>(static_cast<Index>(longest_task / std::max(row_work, 1.0)), 1, most);
}

/// Calls function(first, count) for at most `most` of the rows at a time; interrupted between the parts.
template <class Function>
void for_each_part(Index rows, Index most, const Function& function) {
    for (Index first = 0; first < rows; first += most) {
        Interruption::check();
        function(first, std::min(most, rows - first));
    }
}

/// A product that is a part of a task: cut where it would last, and interrupted between the parts.
template <class Real>
void multiply_in_parts(const Table<Real>& kernels, const Product<Real>& product) {
    const Index rows = product.out.rows;
    const double row_work = elements(product.left.columns, product.out.columns);
    for_each_part(rows, rows_within(row_work, std::max<Index>(rows, 1)),
                  [&](Index first, Index count) { kernels.multiply(product.row_range(first, count)); });
}

}  // namespace headlight::kernels
