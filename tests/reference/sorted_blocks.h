#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct SortedBlocks {
    std::size_t blocks = 1, rounds = 1, cut = 0;
    bool is_decoder = false;
    Number temperature = 1;
    Matrix W;  ///< [d, blocks], of the head
};
/// The text in `blocks` of one size. Block b of the sorted text is the sum of all blocks c, token by token,
/// times P_bc; P = exp(relu(sum of x of block b, times W) / temperature), its columns and then its rows over
/// their sums, `rounds` times. A token sees its own block and the sorted one in its place, in one softmax
/// (Tay et al. 2020, sections 3.1 to 3.3), or, with a `cut`, the first so many sorted blocks alone. Where
/// some blocks have no token of a place, those that have one share it. Of a decoder P_b is the softmax of
/// relu(sum of x up to the first token of block b, times W) / temperature over the blocks before b, and a
/// query sees of its own block what has come. Keys that the first query does not see are padding: blocks of
/// these alone are none, and the queries in their places are those of the last block.
HeadResult sorted_blocks(const Head& head, const SortedBlocks& sorting);

}  // namespace headlight::reference
