#pragma once

#include "tests/reference/attention.h"

// Mixers that weigh keys for each channel of the values by itself: the weights of the result are the mean
// over the channels, its context is sigma(q) times the channels' sums, but where something else is said.
namespace headlight::reference {

/// sum_{j<t} e^(k_j - (t-1-j) w) v_j + e^(u + k_t) v_t over the same without v, t the last key that is seen
/// (Peng et al. 2023, eq. 16). `decay` is w.
HeadResult rwkv4(const Head& head, const Row& decay, const Row& bonus);

/// sum_j e^(k_j + w_ij) v_j over the same without v (Zhai et al. 2021, eq. 2). An empty `biases` is zero.
HeadResult attention_free(const Head& head, const Matrix& biases);

/// ln sum_j A_ij e^(v_jc), A the softmax of q . k / sqrt d, whose rows are the weights of the result, without
/// a gate (Duvvuri and Dhillon 2025). Near the value u of the largest term it is taken as u + ln(1 + sum_j
/// A_ij (e^(v_jc - u) - 1)), far from it over that term.
HeadResult laser(const Head& head);

}  // namespace headlight::reference
