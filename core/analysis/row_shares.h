#pragma once

#include "core/tensor/tensor.h"

#include <span>

namespace headlight {

// Functions of the shares a of one row of a map: none is negative, their sum is 1.

/// -sum_j a_j ln a_j, in nats.
double entropy_of(std::span<const double> shares);

/// sum_j a_j |i - j|, in tokens: how far from its own place row i looks.
double distance_of(std::span<const double> shares, Index row);

}  // namespace headlight
