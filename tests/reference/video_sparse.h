#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// Means of the first `real` tokens, block by block; 0 where there is none.
Matrix means_of_blocks(const Matrix& x, std::size_t size, std::size_t real);
/// The blocks that have any of the first `real` tokens, those whose mean keys have the largest products with
/// a mean query first; of equal ones the first.
std::vector<std::size_t> blocks_by_product(const Row& query, const Matrix& keys, std::size_t size,
                                           std::size_t real);

struct VideoBlocks {
    std::size_t size = 1, selected = 1;
    bool is_one_sequence = true;
    Matrix W;  ///< [d, d_v], of the head
    Row b;
};
/// The mean query of each block attends to the mean keys and values of all blocks; its tokens attend to those
/// of the blocks with the largest scores of means; the first is added to the second times a gate of each
/// feature, x W + b (Zhang et al. 2025). Keys that the first query does not see are padding, and so are the
/// queries in their places where one sequence is both: they count in no mean. The weights have the gate in
/// the mean of its features.
HeadResult video_sparse(const Head& head, const VideoBlocks& blocks);

}  // namespace headlight::reference
