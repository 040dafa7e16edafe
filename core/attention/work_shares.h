#pragma once

#include "core/kernels/kernels.h"
#include "core/attention/plan.h"
#include "core/tensor/interruption.h"

#include <algorithm>

namespace headlight {

// How the work of a run is cut into tasks that threads share. Tasks depend on nothing but the shapes, so that
// results do not depend on the number of threads; each takes at most some milliseconds, because an
// interruption is asked for between them.

/// Rows of a product with a matrix [depth, columns] that one task computes.
Index product_rows(Index depth, Index columns);
/// As many of them as take no longer than a task may.
Index most_product_rows(Index depth, Index columns);

/// A product that is a part of a task: cut where it would last, and interrupted between the parts.
template <class Real>
void multiply_in_parts(const kernels::Table<Real>& kernels, const kernels::Product<Real>& product) {
    const Index most = most_product_rows(product.left.columns, product.out.columns), end = product.out.rows;
    for (Index first = 0; first < end; first += most) {
        Interruption::check();
        kernels.multiply(product.row_range(first, std::min(most, end - first)));
    }
}

/// Queries of one head that one task takes from scores to context, for numbers of `element_size` bytes: few
/// enough for their scores to stay in the L2 cache between the passes over them.
Index block_queries(const Plan& plan, std::size_t element_size);

/// Whether a normaliser that needs whole maps gets those of all heads at once. Fewer at a time take less
/// room, but all threads wait for the last of them each time.
bool has_room_for_all_maps(const Plan& plan);

/// Threads that a run of this plan pays for, at most OpenMP's.
int threads_for(const Plan& plan);

}  // namespace headlight
