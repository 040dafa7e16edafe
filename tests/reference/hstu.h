#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct Hstu {
    Matrix to_gate;          ///< [d, h d_v]
    bool activates = true;   ///< queries, keys and values pass through SiLU
    std::size_t length = 0;  ///< n; the number of keys when it is 0
};

/// Equations 2 and 3 of Zhai et al. 2024: A = silu(q . k) / n of the allowed pairs, and of the contexts of
/// all heads side by side LN(A V), times silu(x W_u) number by number.
std::vector<HeadResult> hstu(const std::vector<Head>& heads, const Hstu& layer);

}  // namespace headlight::reference
