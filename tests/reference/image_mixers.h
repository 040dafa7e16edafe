#pragma once

#include "tests/reference/attention.h"

// Images that are mixed by points that a place chooses, by waves, by kernels of many sizes or by maps of
// places and of channels, and graphs whose edges lie on a grid. The tokens of a head are places that fill a
// grid row by row, and the last row may lack some.
namespace headlight::reference {

/// sum over k of softmax(q W + b)_k v(p + (q W' + b')_k), values between places bilinearly, 0 outside (Zhu et
/// al. 2021, equations 2 and 3). Each level has an image half as large as the one before, of means of
/// patches, and points of its own.
struct Deformable {
    std::size_t columns = 1, points = 1, levels = 1;
    Matrix to_offsets;  ///< [d_k, 2 levels points], of one head: down and to the right, point by point
    Row offsets;        ///< [2 levels points]
    Matrix to_scores;   ///< [d_k, levels points]
    Row scores;         ///< [levels points]
};
HeadResult deformable(const Head& head, const Deformable& given);

/// The inverse Fourier transform over rows and columns of the filter times the transform of each channel,
/// half of the waves along the columns being given (Rao et al. 2021).
struct GlobalFilter {
    std::size_t columns = 1;
    Matrix real, imaginary;  ///< [rows (columns / 2 + 1), d], of one head
};
HeadResult global_filter(const Head& head, const GlobalFilter& filter);

/// Groups of channels, convolved by kernels of 3 x 3, 5 x 5 ...; times a softmax over the groups of the gates
/// sigmoid(relu(mean squeeze) excite) of each (Zhang et al. 2022).
struct PyramidSplit {
    std::size_t columns = 1;
    std::vector<Matrix> kernels;  ///< of each group [side^2 width, width], tap by tap
    Matrix squeeze, excite;
};
HeadResult pyramid_split(const Head& head, const PyramidSplit& given);

/// alpha softmax(q k^T) v + beta v softmax(v^T v)^T, plus 2 v (Fu et al. 2019, equations 1 to 4); `is_unlike`
/// takes the largest product of a row less each, as the authors' code.
struct DualMaps {
    Number alpha = 1, beta = 1, scale = 1;
    bool is_unlike = false, adds_values = true;
};
HeadResult dual_maps(const Head& head, const DualMaps& given);

/// softmax over k of q_ij . k_ik / sqrt(d) + b_jk, of edges (i, k) with the same start, or of q_ij . k_kj /
/// sqrt(d) + b_ki of edges with the same end (Jumper et al. 2021, algorithms 13 and 14).
struct Triangle {
    std::size_t nodes = 1;
    bool is_starting = true;
    Row sides;  ///< [n]: b of each edge
};
HeadResult triangle(const Head& head, const Triangle& given);

}  // namespace headlight::reference
