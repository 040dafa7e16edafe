#include "core/text/random_projection.h"

#include "core/tensor/random.h"

#include <cmath>
#include <numbers>

namespace headlight {

double normal(std::uint64_t bits) {
    const auto piece = [bits](int i) { return static_cast<std::int64_t>(bits >> (16 * i) & 0xFFFF); };
    const std::int64_t centred = piece(0) + piece(1) + piece(2) + piece(3) - 2 * std::int64_t(0xFFFF);
    return static_cast<double>(centred) * (std::numbers::sqrt3 / 0x1p16);
}

RandomProjection::RandomProjection(Index from, Index to, std::uint64_t stream) : matrix_(Shape{from, to}) {
    for (Index i = 0; i < matrix_.size(); ++i)
        matrix_[i] = normal(substream(stream, i)) / std::sqrt(static_cast<double>(from));
}

std::vector<double> RandomProjection::operator()(std::span<const double> vector) const {
    std::vector<double> reduced(static_cast<std::size_t>(matrix_.cols()), 0.0);
    for (Index from = 0; from < matrix_.rows(); ++from)
        for (Index to = 0; to < matrix_.cols(); ++to)
            reduced[to] += vector[from] * matrix_(from, to);
    return reduced;
}

}  // namespace headlight
