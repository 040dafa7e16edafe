#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct Differential {
    Row lambda_q1, lambda_k1, lambda_q2, lambda_k2;  ///< [d / 2]
    std::size_t layer = 0;
    WeighScores weigh;
    std::optional<Row> gain;       ///< [d_v], of the norm of each head; none: there is no norm
    bool adds_integral = false;    ///< lambda times the mean of the first map's rows (Cang et al. 2025)
    bool is_one_sequence = false;  ///< queries are padding where keys are
};

/// 0.8 - 0.6 exp(-0.3 layer), from layer 0 (Ye et al. 2025, section 2.1).
Number differential_lambda_init(std::size_t layer);

/// (softmax(Q1 K1^T / sqrt d) - lambda softmax(Q2 K2^T / sqrt d)) V, then RMSNorm and (1 - lambda_init)
/// (equations 1 to 3), with what `weigh` has in the place of both softmaxes.
HeadResult differential_attention(const Head& head, const Differential& setting);

}  // namespace headlight::reference
