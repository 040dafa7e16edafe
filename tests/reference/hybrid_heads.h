#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// Heads of attention and of a state space side by side (Dong et al. 2025, equations 1 to 3 of section 2.1,
/// and their released code, which has the gains in the norms).
struct HybridHeads {
    Matrix values;         ///< W [d, h d_v]: what is written
    Matrix writes, reads;  ///< [d, states]: B and C, for all channels
    Matrix gate;           ///< [d, h d_v]
    Matrix steps;          ///< [d, h d_v]
    Row step_bias;
    Matrix log_rates;              ///< [h d_v, states]
    Row attention_gain, gain;      ///< [h d_v]
    Matrix mix;                    ///< [d, h]; empty: half of each
    bool norms_each_head = false;  ///< its own root mean square in place of that of all
};

/// The contexts of `results` become g norm(context) and g' norm(silu(x W_gate) o), o_ic the sum over the keys
/// that the query sees of C_i . (exp(-(Delta_(j+1) + ... + Delta_newest) rate_c) B_j) Delta_jc u_jc, by
/// halves, or by 1 - s and s with s = sigmoid(x W_mix) of each head. Keys that no query sees fade nothing.
void hybrid_heads(const HybridHeads& hybrid, const std::vector<Head>& heads,
                  std::vector<HeadResult>& results);

}  // namespace headlight::reference
