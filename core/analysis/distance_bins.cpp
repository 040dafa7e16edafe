#include "core/analysis/distance_bins.h"

#include <algorithm>

namespace headlight {

DistanceBins::DistanceBins(Index queries, Index keys, Index first_place) {
    const Index distances = std::max<Index>({first_place + queries, keys, 1});
    for (Index first = 0, power = alone; first < distances;) {
        first_.push_back(first);
        if (first < alone) {
            ++first;
            continue;
        }
        first += power / 2;
        power *= first == 2 * power ? 2 : 1;
    }
    Index bin = 0;
    for (Index distance = 0; distance < distances; ++distance) {
        bin += bin + 1 < count() && distance == first_[static_cast<std::size_t>(bin) + 1];
        bin_of_.push_back(bin);
    }
}

std::string DistanceBins::label(Index bin) const {
    const Index least = first(bin), most = last(bin);
    return least == most ? std::to_string(least) : std::to_string(least) + "–" + std::to_string(most);
}

}  // namespace headlight
