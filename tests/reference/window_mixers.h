#pragma once

#include "tests/reference/attention.h"

// Images whose places mix their neighbourhood, or are gated by a coarser image or half by half. The tokens of
// a head are places that fill a grid row by row, and the last row may lack some.
namespace headlight::reference {

/// K1 = keys * context, A = relu([K1, q] hidden) neighbours, K2 = sum of A v over the window, and both fused
/// (Li et al. 2023). Empty fusion matrices: added.
struct Contextual {
    std::size_t columns = 1, side = 1;
    bool is_softmax = false;
    Matrix context;       ///< [side^2 d_k, d_v], of one head, tap by tap
    Matrix hidden;        ///< [d_v + d_k, hidden]
    Matrix neighbours;    ///< [hidden, side^2]
    Matrix fused_hidden;  ///< [d_v, hidden]
    Matrix fused;         ///< [hidden, 2 d_v]
};
HeadResult contextual(const Head& head, const Contextual& given);

/// Groups of channels, of two at least: sigmoid(w mean + b) for the first half of each, sigmoid(w x' + b) for
/// the second, x' normalised over the places; then a channel of the first half of all, one of the second,
/// and so on (Zhang and Yang 2021).
struct ShuffleGates {
    std::size_t groups = 1;
    bool is_shuffled = true;
    Row channel_gain, channel_shift, place_gain, place_shift;
};
HeadResult shuffle_gates(const Head& head, const ShuffleGates& gates);

/// sigmoid(psi . relu(x W_x + g W_g + b) + b_psi) of each place, g the mean of its patch of ratio x ratio
/// places, or what the tokens of the keys, an image with a place for each patch, have there (Oktay et al.
/// 2018).
struct AttentionGate {
    std::size_t columns = 1, ratio = 1;
    bool has_given_signal = false;
    Matrix gated, signal;  ///< [C, hidden]; the second [d_k, hidden] of tokens of the keys
    Row shift, psi;        ///< [hidden]
    Number openness = 0;
};
HeadResult attention_gate(const Head& head, const AttentionGate& gate);

}  // namespace headlight::reference
