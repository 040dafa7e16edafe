#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// Which keys sparse rows see, the newest and the first ones, and after how many queries a row is full.
struct DeltaCorrection {
    std::size_t stride = 1, window = 1, first = 0;
};
/// The context of a sparse row plus the difference of the full and the sparse row of the last query whose
/// number is a multiple of the stride (Willette et al. 2025).
HeadResult delta_correction(const Head& head, const DeltaCorrection& rows);

}  // namespace headlight::reference
