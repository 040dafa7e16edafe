#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// Softmax attention by keys and values of few bits (Liu et al. 2024): each number becomes the nearest of
/// 2^bits, from the smallest to the largest of its token, or, keys `by_channel`, of its channel in a group of
/// so many tokens. Keys that the first query does not see are in no group, and neither are the `recent` ones
/// before them, keys and values of which stay as they are. Queries may be rounded as keys by token, and these
/// without the mean of all that are seen (Zhang et al. 2025, section 3.2).
struct QuantizedCache {
    std::size_t bits = 2, group = 32;
    bool by_channel = true;
    std::size_t recent = 0;
    bool rounds_values = true, rounds_queries = false, is_smooth = false;
    WeighScores weigh;  ///< in the place of the softmax
};
HeadResult quantized_cache(const Head& head, const QuantizedCache& cache);

}  // namespace headlight::reference
