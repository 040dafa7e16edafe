#pragma once

#include "core/attention/trace.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// What a map of weights is like, in a few numbers. Means are over the rows that have any weight.
struct MapStatistics {
    double entropy = 0;         ///< nats: mean of -sum_j a_j ln a_j of a row's shares a = |A| / sum |A|
    double effective_keys = 0;  ///< mean of exp(entropy of the row): over how many keys a row is spread
    double sparsity = 0;        ///< share of the allowed pairs whose weight is exactly 0
    double distance = 0;        ///< mean of sum_j a_j |i - j|, in tokens
    double largest = 0;         ///< mean of a row's largest share
    double row_sum_low = 0, row_sum_high = 0;
    Index dead_rows = 0;  ///< rows without any weight
};

/// Returns the statistics of one map [queries, keys], row-major. `forbidden` is [queries, keys], 1 =
/// forbidden, or empty.
MapStatistics map_statistics(std::span<const double> weights, Index queries, Index keys,
                             std::span<const std::uint8_t> forbidden = {});

/// Returns the statistics of the weights of each head at a site of a trace; empty where it keeps no map of
/// them.
std::vector<MapStatistics> weight_statistics(const Trace& trace, const std::string& site);

}  // namespace headlight
