#pragma once

#include "tests/reference/matrix.h"

#include <cstdint>

namespace headlight::reference {

/// One-hot on the largest allowed score; of equal ones the lowest index wins. All zero when nothing is
/// allowed.
Row hard_argmax(const Row& scores, const std::vector<bool>& allowed);

/// One-hot on the key at which the running sum of `weights` first exceeds u, u in [0, 1): the inverse of the
/// cumulative distribution (Xu et al. 2015, section 4.1, draw s_t ~ Multinoulli(alpha_t)). Should rounding
/// leave the sum at or below u, the last key of positive weight. All zero when the weights are.
Row hard_sample(const Row& weights, Number u);

/// The number in [0, 1) of draw `draw` for one query of one head: a function of these four and of nothing
/// else. Stream s has the child i with seed splitmix64(splitmix64(s) ^ i); the number is the upper 53 bits of
/// the child `draw` of the child `query` of the child `head` of `seed`, divided by 2^53.
Number uniform(std::uint64_t seed, std::uint64_t head, std::uint64_t query, std::uint64_t draw);

/// What the draws of one of several maps of a head follow from: the first of the seed, map i of the child i
/// of the child 2^64 - 1 of the seed.
std::uint64_t seed_of_map(std::uint64_t seed, std::size_t map);

/// The child `second` of the child `first` of `seed`.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t first, std::uint64_t second);

}  // namespace headlight::reference
