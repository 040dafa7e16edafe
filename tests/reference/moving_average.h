#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// One gated head behind a moving average (Ma et al. 2023). Matrices are (in, out).
struct MovingAverageUnit {
    Matrix alpha, delta, beta, eta;  ///< [d, averages], alpha and delta before their sigmoid
    Row omega;                       ///< [d]
    Matrix W_average, W_value, W_reset, W_candidate, W_update, U;
    Row b_average, b_value, b_reset, b_candidate, b_update;
    Row gamma_q, beta_q, gamma_k, beta_k;
    bool has_step = false;  ///< the share of a bell below the score, in the place of a softmax
    Matrix distance_bias;   ///< [2, n]: of keys so many places before, and of keys so many places later
};
/// Reads the head's queries, which are its tokens; there are no keys and values.
HeadResult moving_average_unit(const Head& head, const MovingAverageUnit& unit);

}  // namespace headlight::reference
