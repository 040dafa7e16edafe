#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct SparseLinear {
    enum class Map { softmax, elu, relu };

    std::size_t size = 1, selected = 1, skipped = 0;
    bool is_of_all = false;  ///< linear attention sees all keys, those of the softmax and of no block too
    bool is_one_sequence = true;
    Map map = Map::softmax;
    Matrix W;  ///< [d_v, d_v]
    Row b;
};
/// Softmax attention to the tokens of the blocks whose mean keys have the largest products with the mean
/// query of the query's block, plus W and b of linear attention to those of the others, but for the last ones
/// (Zhang et al. 2026). Padding as in video_sparse(). The weights have W in the mean of its diagonal.
HeadResult sparse_linear(const Head& head, const SparseLinear& blocks);

}  // namespace headlight::reference
