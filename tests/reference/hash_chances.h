#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// (1 - arccos(q . k / (|q| |k|)) / pi)^tau of each pair, and contexts over their length where they are
/// `normalized` (Zeng et al. 2021, equations 3 and 4); a vector of zeros is at a right angle to all.
HeadResult hash_chances(const Head& head, Number tau, bool normalized);

}  // namespace headlight::reference
