#pragma once

#include "tests/reference/attention.h"

// Images in which all queries look at the same few points, or at a window beside a convolution. The tokens
// of a head are places that fill a grid row by row, and the last row may lack some.
namespace headlight::reference {

/// softmax(q k'^T / sqrt(d) + B) v', k' and v' the keys and values at points between places, bilinearly, 0
/// outside: middles of patches, moved by reach tanh(gelu(LN(the queries around, through a kernel for each
/// feature)) W); B the table at the difference of query and point, between its cells (Xia et al. 2022).
struct SharedPoints {
    std::size_t columns = 1, stride = 1, side = 1;
    Number reach = 0;
    Matrix kernel;  ///< [side^2, d]
    Row shift;      ///< [d]
    Matrix steps;   ///< [d, 2]
    Row table;      ///< [(2 rows - 1) (2 columns - 1)] of one head; empty: none
};
HeadResult shared_points(const Head& head, const SharedPoints& given);

/// alpha softmax over the window of q . (k + (p_i - p_j) W) / sqrt(d), times v, plus beta times what a layer
/// of the heads of q, k and v makes for each place of a kernel, from that place (Pan et al. 2022).
struct ConvolutionMix {
    std::size_t columns = 1, window = 1, side = 1;
    Matrix places;  ///< [2, d]
    Matrix pieces;  ///< [side^2 h, 3 h]
    Number alpha = 1, beta = 1;
};
std::vector<HeadResult> convolution_mix(const std::vector<Head>& heads, const ConvolutionMix& given);

}  // namespace headlight::reference
