#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>

namespace headlight {

/// Directions [r, d]: normal vectors, made orthogonal to one another in blocks of d and then given lengths of
/// normal vectors again (Choromanski et al. 2021, section 3.2).
std::vector<double> performer_directions(std::uint64_t seed, Index rows, Index width);

}  // namespace headlight
