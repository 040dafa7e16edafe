#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headlight {

/// Close to normal with mean 0 and variance 1: the sum of four uniform pieces of the bits. Only integers and
/// one product, so that every machine gets the same number; logarithms and cosines differ in their last
/// digit.
double normal(std::uint64_t bits);

/// Vectors times a matrix of random numbers that is drawn from `stream`: another dimension, and in
/// expectation the same angles and the same size of a component (Johnson & Lindenstrauss 1984).
class RandomProjection {
public:
    RandomProjection(Index from, Index to, std::uint64_t stream);

    std::vector<double> operator()(std::span<const double> vector) const;

private:
    Tensor matrix_;  ///< [from, to]
};

}  // namespace headlight
