#pragma once

#include "tests/reference/attention.h"

// Gates of images: the queries of a head are the features of places, row by row on a grid, and are multiplied
// by numbers between 0 and 1. The weights of the result are 0 but on the diagonal, where they are the mean
// gate of the place.
namespace headlight::reference {

/// The mean of numbers of places or channels, one after another.
Number mean(const Row& numbers);

/// The image times its factors, [place, channel].
HeadResult multiplied(const Matrix& image, const Matrix& factors);

/// sigmoid(sum over z of relu(z squeeze) excite), z the mean and the maximum of each channel over the image
/// (Hu et al. 2018, equations 2 and 3; Woo et al. 2018, equation 2).
struct ChannelGate {
    bool of_means = true;
    bool of_maxima = false;
    Matrix squeeze;  ///< [C, hidden]
    Matrix excite;   ///< [hidden, C]
};

/// sigmoid of a convolution over two planes, the means and the maxima of the places' channels, zero outside
/// the image (Woo et al. 2018, equation 3).
struct SpatialGate {
    std::size_t columns = 1;
    std::size_t side = 1;  ///< of the kernel, odd
    Row kernel;            ///< [2, side, side]
};

/// First the channels are gated, then the places of what is left.
HeadResult gated_image(const Head& head, const std::optional<ChannelGate>& of_channels,
                       const std::optional<SpatialGate>& of_places);

/// sigmoid of a convolution over the means of the channels, in their order, zero beyond the first and the
/// last (Wang et al. 2020).
HeadResult channel_convolution(const Head& head, const Row& kernel);

/// Each number times sigmoid((x - mu)^2 / (4 (variance + lambda)) + 1/2), with the mean and the unbiased
/// variance of its channel; a single place has variance 0 (Yang et al. 2021, equation 5).
HeadResult energy_gates(const Head& head, Number lambda);

/// gamma y + x, or gamma y alone (Wang et al. 2018, equation 6; Zhang et al. 2019, equation 3).
Matrix non_local_update(const Matrix& x, const Matrix& y, Number gamma, bool adds_input);

}  // namespace headlight::reference
