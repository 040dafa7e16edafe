#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct MomentumDelta {
    Row gates;      ///< [n], alpha
    Row momenta;    ///< [n], mu
    Row strengths;  ///< [n], beta
    Row steps;      ///< [n], eta
    Number scale = 1;
};
/// M <- mu M + eta k (v - alpha S^T k)^T, S <- alpha S + beta M, o = scale S^T q (Huang et al. 2026, eq. 4
/// and 5, with M of the other sign), token by token. Keys have the length 1. A query reads the state that the
/// newest token has left which it sees, its own or one before.
HeadResult momentum_delta(const Head& head, const MomentumDelta& rule);

}  // namespace headlight::reference
