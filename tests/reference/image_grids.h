#pragma once

#include "tests/reference/attention.h"

// Gates and attentions of images on a grid: the tokens of a head are places that fill it row by row, and the
// last row may lack some. What is multiplied by gates alone has weights on the diagonal: their mean.
namespace headlight::reference {

/// sigmoid(f W_rows) of a row times sigmoid(f W_columns) of a column, f = h-swish(z W_squeeze) with the means
/// z over each row and each column (Hou et al. 2021).
struct CoordinateGates {
    std::size_t columns = 1;
    Matrix squeeze;           ///< [C, hidden]
    Matrix rows, of_columns;  ///< [hidden, C]
};
HeadResult coordinate_gates(const Head& head, const CoordinateGates& gates);

/// Kernels [2, side, side] of the planes that are left when one of three axes is summed up by its mean and
/// its largest number; an empty one is none (Misra et al. 2021).
struct TripletGates {
    std::size_t columns = 1, side = 1;
    Row of_places, of_rows, of_columns;
};
HeadResult triplet_gates(const Head& head, const TripletGates& gates);

/// 1 + sigmoid(M_c + M_s) (Park et al. 2018), with relu behind all layers but the last.
struct BottleneckGates {
    std::size_t columns = 1, dilation = 1;
    Matrix squeeze, excite;  ///< [C, hidden] and [hidden, C]
    Matrix reduce;           ///< [C, hidden]
    Matrix once, twice;      ///< [9 hidden, hidden]: taps row by row, the channels of the first one first
    Row place;               ///< [hidden]
};
HeadResult bottleneck_gates(const Head& head, const BottleneckGates& gates);

/// Both gates of Roy et al. (2018): sigmoid(relu(z squeeze) excite) of a channel, sigmoid(w . x) of a place.
struct ConcurrentGates {
    enum class Combined { sum, maximum, product } combined = Combined::sum;
    Matrix squeeze, excite;  ///< [C, hidden] and [hidden, C]
    Row place;               ///< [C]
};
HeadResult concurrent_gates(const Head& head, const ConcurrentGates& gates);

/// x times (far * (near * x)) mix, channel by channel but for the last (Guo et al. 2023).
struct LargeKernel {
    std::size_t columns = 1, dilation = 1;
    Matrix near, far;  ///< [side², C], taps row by row
    Matrix mix;        ///< [C, C]
};
HeadResult large_kernel(const Head& head, const LargeKernel& given);

/// q times (sum_l g_l z_l + g_(L + 1) gelu(mean z_L)) W + b, z_l = gelu(kernel_l * z_(l - 1)), z_0 = x W_z +
/// b_z, g = x W_g + b_g, kernels channel by channel (Yang et al. 2022).
struct FocalModulation {
    std::size_t columns = 1;
    Matrix to_features, to_gates;  ///< [d, C] and [d, L + 1] of the head
    Row features_bias, gates_bias;
    std::vector<Matrix> kernels;  ///< of each level [side², C], taps row by row
    Matrix mix;                   ///< [C, C]
    Row bias;
};
HeadResult focal_modulation(const Head& head, const FocalModulation& given);

/// sum_b softmax_b(z W_b) relu(kernel_b * x), channel by channel, z = relu(mean(sum_b relu(kernel_b * x))
/// squeeze); the taps of branch b lie b + 1 steps apart (Li et al. 2019). The weights are those without relu,
/// the mean over the channels.
struct SelectiveKernels {
    std::size_t columns = 1, branches = 1;
    bool is_activated = true;
    Matrix kernels;  ///< [9 branches, C]
    Matrix squeeze;  ///< [C, hidden]
    Matrix select;   ///< [hidden, branches C]
};
HeadResult selective_kernels(const Head& head, const SelectiveKernels& given);

/// sigmoid(gamma t + beta) of each group of channels, t = x . mean(x) over the places less its mean, over its
/// deviation plus 1e-5 (Li et al. 2019).
HeadResult group_gates(const Head& head, const Row& gamma, const Row& beta);

/// (Liu et al. 2021), one gate behind the other or both side by side.
struct PolarizedGates {
    bool is_sequential = false;
    Row place_query;                      ///< [C]
    Matrix channel_values, channel_gate;  ///< [C, C / 2] and [C / 2, C]
    Matrix place_queries, place_values;   ///< [C, C / 2]
};
HeadResult polarized_gates(const Head& head, const PolarizedGates& gates);

/// Unfolds the values to windows of side x side around each place, mixes each by softmax(scores) [side^2,
/// side^2], and folds them, so that what overlaps is added (Yuan et al. 2021). Row i of
/// `scores` has those of the window of place i.
HeadResult outlook(const Head& head, const Matrix& scores, std::size_t columns, std::size_t side);

/// Keys and values from patches of ratio x ratio tokens (Wang et al. 2021); W_patch empty:
/// the mean of the tokens that a patch has.
struct SpatialReduction {
    std::size_t columns = 1, ratio = 1;
    Matrix patch;  ///< [ratio^2 d, d]
    bool has_norm = false;
    Matrix key, value;  ///< [d, d_k] and [d, d_v], of one head
};
HeadResult spatial_reduction(const Head& head, const SpatialReduction& reduction);

/// o_i = sum of kernel_t v of the place that tap t meets, kernel = relu(q_i hidden) taps (Li et al. 2021).
HeadResult involution(const Head& head, const Matrix& hidden, const Matrix& taps, std::size_t columns);

}  // namespace headlight::reference
