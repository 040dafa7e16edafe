#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace headlight {

/// What somebody went on with, row by row, in a run that computes all its other stages: a model that is
/// traced, whose weights a person may have changed inside.
struct GivenRows {
    std::vector<std::uint8_t> forbidden;  ///< [h, n, m], 1 = gets no weight although the mask allows it
    Tensor weights;                       ///< [h, n, m]
};

}  // namespace headlight
