#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

// Softmax attention by scores of which some are those of means over blocks of neighbours. Keys that the first
// query does not see are padding, and so are the queries in their places where one sequence is both: padding
// counts in no mean, and the mean of padding alone is 0.

/// Tokens i and j meet at the first level l = 0, 1, ... at which floor(i / (b 2^l)) and floor(j / (b 2^l))
/// are equal or neighbours, by the means of the 2^l tokens around each (Zhu and Soricut 2021). As in a
/// decoder a query is itself at every level, and sees no later key.
HeadResult h_transformer(const Head& head, std::size_t block, bool is_causal);

struct MultiResolution {
    std::size_t block = 1, refined = 0;
    bool keeps_coarse = true;
    bool is_one_sequence = true;
};
/// Blocks of the `refined` largest products of means, of the whole map, padding last, have the products of
/// their tokens; the others that of the means, or none (Zeng et al. 2022, section 4: MRA-2 and MRA-2-s).
HeadResult multiresolution(const Head& head, const MultiResolution& maps);

}  // namespace headlight::reference
