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

/// A product that is a part of a task: cut where it would last, and interrupted between the parts.
template <class Real>
void multiply_in_parts(const Table<Real>& kernels, const Product<Real>& product) {
    const Index end = product.out.rows;
    const Index most =
        rows_within(elements(product.left.columns, product.out.columns), std::max<Index>(end, 1));
    for (Index first = 0; first < end; first += most) {
        Interruption::check();
        kernels.multiply(product.row_range(first, std::min(most, end - first)));
    }
}

}  // namespace headlight::kernels
