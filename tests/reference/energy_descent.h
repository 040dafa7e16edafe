#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct EnergyDescent {
    Matrix ask, tell;  ///< [h d, h d]
    Matrix patterns;   ///< [patterns, h d]; an empty one is none
    std::size_t steps = 1;
    Number rate = 0, beta = 1;
    bool is_normed = true;
};
/// x <- x - rate dE/dg with E = -1/beta sum ln sum exp(beta k_j . q_i) - sum relu(xi . g)^2 / 2 over the
/// other tokens j (Hoover et al. 2023, equations 1 to 6), number by number: each number of each token is
/// moved by the derivatives of all terms in which it is. The weights are those of the last step.
std::vector<HeadResult> energy_descent(const std::vector<Head>& heads, const EnergyDescent& energy);

}  // namespace headlight::reference
