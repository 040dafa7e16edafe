#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

// Normalisers whose weights are chances of parts of a structure: a chain of choices, a tree, a walk.

/// Pair counts of neighbouring keys, the left one first: theta[z][z'].
struct PairCounts {
    Number neither = 0, right = 0, left = 0, both = 0;
};

/// p(z_j = 1) of p(z) in proportion to exp(sum_j s_j z_j + sum_j theta(z_j, z_(j+1))) over z in {0, 1}^m, by
/// the recursions forwards and backwards (Kim et al. 2017). Keys that may not be looked at part
/// the chain.
Row chain_of_choices(const Row& scores, const std::vector<bool>& allowed, Number temperature,
                     const PairCounts& theta);

/// The chance that j is the head of i where each token has one head among the allowed others or the root and
/// no arcs run in a circle: the sum over such trees with the arc over that of all, both of them determinants
/// (Koo et al. 2007, trees of several roots). Of each row the root has at least 1e-5. With
/// `in_one_sequence` false the heads are not those that choose, and no circle can be.
Matrix dependency_trees(const Matrix& scores, const Allowed& allowed, Number temperature, Number root,
                        bool in_one_sequence);

/// a_t(j) in proportion to (a_(t-1)(j) + a_(t-1)(j - 1)) exp(s_tj), from the first key on (Zhang, Ling and
/// Dai 2018). A query that reaches no key is passed over.
Matrix forward_alignment(const Matrix& scores, const Allowed& allowed, Number temperature);

/// a_t(j) = a_(t-1)(j) p_tj + a_(t-1)(j - 1) (1 - p_t(j-1)), p the sigmoid of the score, 0 of keys that may
/// not be looked at (He, Deng and He 2019, equation 8). A query that may look at nothing is passed over.
Matrix stepwise_alignment(const Matrix& scores, const Allowed& allowed, Number temperature);

}  // namespace headlight::reference
