#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// near softmax(q . k / sqrt(d) of the keys up to `reach` places away) + sum_l far[l] times linear attention
/// of phi_l(x) = elu(x) + 1 and elu(-x) + 1 over all keys (Nguyen et al. 2021).
struct NearAndFar {
    std::size_t reach = 0;
    Number near = 0;
    Row far;
};
HeadResult near_and_far(const Head& head, const NearAndFar& maps);

}  // namespace headlight::reference
