#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct HashChances {
    std::size_t tau = 1;
    bool is_normalized = true;
    Matrix planes;  ///< [rounds tau, d]: normal vectors of drawn hyperplanes; empty: the mean of all
    Row filter;     ///< along the values (learned_features.h), or none
};
/// (1 - arccos(q . k / (|q| |k|)) / pi)^tau of each pair, or the share of the rounds in which tau drawn
/// planes have both on one side; contexts over their length where they are normalized (Zeng et al. 2021,
/// equations 3 and 4), and what the filter adds. A vector of zeros is at a right angle to all, and on the
/// side below.
HeadResult hash_chances(const Head& head, const HashChances& hashes);

}  // namespace headlight::reference
