#pragma once

#include "tests/reference/matrix.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace headlight {

/// sum + share row
inline reference::Row with_added(reference::Row sum, reference::Number share, const reference::Row& row) {
    for (std::size_t c = 0; c < sum.size(); ++c)
        sum[c] += share * row[c];
    return sum;
}

/// x W + b
inline reference::Row times(const reference::Row& x, const reference::Matrix& weight,
                            const reference::Row& bias) {
    reference::Row result = bias;
    for (std::size_t c = 0; c < weight.rows; ++c)
        result = with_added(result, x[c], weight.row(c));
    return result;
}

/// The places of the grid, window by window: -1 where a window lacks one.
struct GridWindowsOracle {
    std::vector<std::vector<long>> places;
    std::vector<std::size_t> window, tap;  ///< of each place

    GridWindowsOracle(std::size_t count, std::size_t columns, std::size_t side) : window(count), tap(count) {
        const std::size_t rows = (count + columns - 1) / columns, across = std::min(columns, count);
        for (std::size_t top = 0; top < rows; top += side)
            for (std::size_t left = 0; left < across; left += side) {
                std::vector<long> inside(side * side, -1);
                for (std::size_t t = 0; t < inside.size(); ++t) {
                    const std::size_t row = top + t / side, column = left + t % side;
                    const std::size_t place = row * columns + column;
                    if (column >= columns || place >= count)
                        continue;
                    inside[t] = static_cast<long>(place);
                    window[place] = places.size();
                    tap[place] = t;
                }
                if (std::ranges::any_of(inside, [](long place) { return place >= 0; }))
                    places.push_back(inside);
            }
    }
};

}  // namespace headlight
