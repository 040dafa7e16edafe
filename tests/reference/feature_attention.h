#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// Features look at features (El-Nouby et al. 2021): feature a of a token's result is the mean of the
/// features of its value, weighed by the softmax over b of `sharpness` times the cosine of column a of the
/// queries and column b of the keys. A column of zeros has the cosine 0 with all. No token takes from
/// another: the weights are a diagonal of ones.
HeadResult cross_covariance(const Head& head, Number sharpness);

}  // namespace headlight::reference
