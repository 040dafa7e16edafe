#pragma once

#include "tests/reference/attention.h"

// Maps that no two tokens decide together: filters along the text, and a matrix of the places.
namespace headlight::reference {

/// A linear system of one channel: s <- e^(step A) s + (e^(step A) - 1) / A x, y = 2 Re(C s), A = -e^rates +
/// i (pi number + turns) (Gu et al. 2022, S4D).
struct ChannelStates {
    Number step = 1;
    Row rates, turns, C_real, C_imaginary;  ///< of each state; the step is Delta, not its logarithm
};
/// y of the lags 0, 1, ... after an x of 1 and zeros.
Row filter_of_states(const ChannelStates& channel, std::size_t lags);

/// Two layers of sines over t / (L - 1), cos(2 pi f t / L) and -sin(2 pi f t / L), a linear one, and e^(-t /
/// (L
/// - 1) delta) (Poli et al. 2023).
struct FilterNetwork {
    Matrix W_1, W_2, W_out;
    Row b_1, b_2;
    std::size_t length = 2, bands = 1;
    Number frequency = 1;
};
/// [lag, channel] of all channels.
Matrix filters_of_network(const FilterNetwork& network, std::size_t lags);

/// A linear system of one channel whose states change one another, by the bilinear rule:
/// (1 - step A / 2) s <- (1 + step A / 2) s + step B x, y = C s (Gu, Goel and Ré 2022, equations 3 and 4). A
/// and B are those of HiPPO-LegS, A with `more` added.
struct CoupledStates {
    Number step = 1;
    Matrix more;  ///< [states, states]
    Row C;
};
Row filter_of_matrix(const CoupledStates& channel, std::size_t lags);

/// A filter that follows another, and the gate in front of it, [n, d_v].
struct FurtherFilter {
    Matrix filters, gate;
};
/// z_ic = sum_j h_c(i - j) k_jc v_jc over the tokens j <= i that i sees, then for each further filter z_ic <-
/// sum_j h_c(i - j) g_jc z_jc, o = q z; without gates q and k are 1. `filters` [lag, d_v] of this head.
HeadResult long_convolution(const Head& head, const Matrix& filters, bool has_gates,
                            const std::vector<FurtherFilter>& further = {});

/// q o (W LN(v) + b), over the allowed pairs; LN without gain and shift (Liu et al. 2021).
HeadResult spatial_gating(const Head& head, const Matrix& W, const Row& b, bool has_norm);

/// (o W + x W' + b) o sigma(o U + x U' + c) (Huang et al. 2019, equations 3 to 5); with both gates
/// sigma(o W + x W' + b) o x + sigma(o U + x U' + c) o o (Zhang et al. 2018, equations 3 and 4). A layer,
/// where there is one, makes relu(o F + f) G + g of o before.
struct AttentionOnAttention {
    Matrix information_o, information_q, relevance_o, relevance_q;
    Row b_information, b_relevance;
    bool has_both_gates = false;
    Matrix found_1 = {}, found_2 = {};  ///< [d, units], [units, d]; empty: no layer
    Row b_found_1 = {}, b_found_2 = {};
};
Matrix attention_on_attention(const Matrix& x, const Matrix& output, const AttentionOnAttention& gate);

}  // namespace headlight::reference
