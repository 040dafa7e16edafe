#pragma once

#include "tests/reference/masks.h"
#include "tests/reference/matrix.h"

namespace headlight::reference {

struct ChunkSearch {
    std::size_t chunk = 1, neighbours = 1;
    bool is_continued = true;     ///< the chunk behind a neighbour is seen too
    bool is_one_sequence = true;  ///< chunks before the own one alone are found
};
/// Token i sees the neighbours of the chunk that ends with it or before it, the last one that is whole
/// (Borgeaud et al. 2022, section 2.4): those whose mean token has the largest cosine with that of the chunk,
/// to a millionth. Keys that no query sees are padding: a chunk with such a key is found by none, and they
/// count as zeros in the mean of one that asks.
Allowed neighbour_chunks(const Matrix& x, const Matrix& y, const Allowed& allowed, const ChunkSearch& search);

}  // namespace headlight::reference
