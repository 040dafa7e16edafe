#pragma once

#include "core/attention/plan.h"

namespace headlight {

// How the work of a run is cut into tasks that threads share. Tasks depend on nothing but the shapes, so that
// results do not depend on the number of threads; each takes at most some milliseconds, because an
// interruption is asked for between them.

/// Rows of a product with a matrix [depth, columns] that one task computes.
Index product_rows(Index depth, Index columns);
/// Queries of one head that one task takes from scores to context, for numbers of `element_size` bytes: few
/// enough for their scores to stay in the L2 cache between the passes over them.
Index block_queries(const Plan& plan, std::size_t element_size);

/// Whether a normaliser that needs whole maps gets those of all heads at once. Fewer at a time take less
/// room, but all threads wait for the last of them each time.
bool has_room_for_all_maps(const Plan& plan);

/// Threads that a run of this plan pays for, at most OpenMP's.
int threads_for(const Plan& plan);

}  // namespace headlight
