#pragma once

#include "core/tensor/tensor.h"

#include <span>
#include <vector>

namespace headlight {

/// The next word of a pointer-generator: written from the vocabulary or copied from the source,
/// P(w) = p_gen P_vocab(w) + (1 - p_gen) sum of the weights a_j of the source words x_j = w
/// (See, Liu and Manning 2017, equation 9).
///
/// `vocabulary` [V] are the generator's probabilities, `weights` [m] one row of attention over the source and
/// `source` [m] its words' numbers; words that the vocabulary does not know are numbered from V on, and
/// there are at most m of them. The answer counts over the extended vocabulary, as long as the largest number
/// asks for; it sums to 1 when both of its parts do. Throws Error for a p_gen outside [0, 1], a number that
/// no word can have, and unequal lengths.
std::vector<double> copy_distribution(std::span<const double> vocabulary, std::span<const double> weights,
                                      std::span<const Index> source, double p_gen);

}  // namespace headlight
