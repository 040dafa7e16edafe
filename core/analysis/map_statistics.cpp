#include "core/analysis/map_statistics.h"

#include "core/analysis/row_shares.h"
#include "core/attention/forbidden_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void divide(MapStatistics& statistics, double count) {
    for (double* mean : {&statistics.entropy, &statistics.effective_keys, &statistics.sparsity,
                         &statistics.distance, &statistics.largest})
        *mean /= count;
}

}  // namespace

MapStatistics map_statistics(std::span<const double> weights, Index queries, Index keys,
                             std::span<const std::uint8_t> forbidden) {
    MapStatistics result;
    result.row_sum_low = infinity;
    result.row_sum_high = -infinity;
    Index allowed = 0, zero = 0;
    std::vector<double> shares(static_cast<std::size_t>(keys));
    for (Index i = 0; i < queries; ++i) {
        double sum = 0, mass = 0;
        for (Index j = 0; j < keys; ++j) {
            const auto at = static_cast<std::size_t>(i * keys + j);
            if (!forbidden.empty() && forbidden[at])
                continue;
            ++allowed;
            zero += weights[at] == 0;
            sum += weights[at];
            mass += std::abs(weights[at]);
        }
        result.row_sum_low = std::min(result.row_sum_low, sum);
        result.row_sum_high = std::max(result.row_sum_high, sum);
        if (!(mass > 0)) {
            ++result.dead_rows;
            continue;
        }
        for (Index j = 0; j < keys; ++j)
            shares[static_cast<std::size_t>(j)] =
                std::abs(weights[static_cast<std::size_t>(i * keys + j)]) / mass;
        const double entropy = entropy_of(shares);
        result.entropy += entropy;
        result.effective_keys += std::exp(entropy);
        result.distance += distance_of(shares, i);
        result.largest += std::ranges::max(shares);
    }
    if (const Index rows = queries - result.dead_rows; rows > 0)
        divide(result, static_cast<double>(rows));
    result.sparsity = allowed > 0 ? static_cast<double>(zero) / static_cast<double>(allowed) : 0;
    return result;
}

std::vector<MapStatistics> weight_statistics(const Trace& trace, const std::string& site) {
    std::vector<MapStatistics> statistics;
    const Stage* weights = trace.find("weights", site);
    if (!weights || weights->shape.size() < 2 || weights->is_large())
        return statistics;
    const Index keys = weights->shape.back();
    const Index queries = weights->shape[weights->shape.size() - 2];
    const ForbiddenPairs forbidden(trace, site);
    for (Index head = 0; head < weights->heads(); ++head)
        statistics.push_back(
            map_statistics(trace.matrix(*weights, head), queries, keys, forbidden.of_head(head)));
    return statistics;
}

}  // namespace headlight
