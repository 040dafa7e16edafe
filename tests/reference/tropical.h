#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// s_ij = -(max_c (q_ic - k_jc) - min_c (q_ic - k_jc)), o_ic = max_j (s_ij + v_jc) (Hashemi et al. 2025); the
/// weight of a key is the share of the features in which it is the first to have the maximum. A query that
/// sees no key gets zeros.
HeadResult tropical(const Head& head);

}  // namespace headlight::reference
