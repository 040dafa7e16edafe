#include "core/analysis/row_shares.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headlight {

double entropy_of(std::span<const double> shares) {
    double entropy = 0;
    for (const double share : shares)
        if (share > 0)
            entropy -= share * std::log(share);
    return std::max(0.0, entropy);  // a single share may be a rounding above 1
}

double distance_of(std::span<const double> shares, Index row) {
    double distance = 0;
    for (Index j = 0; j < std::ssize(shares); ++j)
        distance += shares[static_cast<std::size_t>(j)] * static_cast<double>(std::abs(row - j));
    return distance;
}

}  // namespace headlight
