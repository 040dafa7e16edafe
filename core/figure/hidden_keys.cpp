#include "core/figure/hidden_keys.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

MapWithoutKeys without_keys(const SharedNumbers& weights, Index rows, Index columns,
                            const std::vector<Index>& keys) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    MapWithoutKeys seen;
    std::vector<double> left = weights.copy();
    Index counted = 0;
    for (Index row = 0; row < rows; ++row) {
        const auto numbers = std::span(left).subspan(static_cast<std::size_t>(row * columns),
                                                     static_cast<std::size_t>(columns));
        const auto mass = [&] {
            double sum = 0;
            for (const double weight : numbers)
                sum += std::isfinite(weight) ? std::abs(weight) : 0;
            return sum;
        };
        const double whole = mass();
        for (const Index key : keys)
            if (key >= 0 && key < columns)
                numbers[static_cast<std::size_t>(key)] = none;
        const double rest = mass();
        if (whole > 0) {
            seen.hidden_mass += (whole - rest) / whole;
            ++counted;
        }
        for (double& weight : numbers)
            weight = rest > 0 ? weight * (whole / rest) : whole > 0 ? none : weight;
    }
    seen.hidden_mass /= static_cast<double>(std::max<Index>(1, counted));
    seen.weights = std::move(left);
    return seen;
}

}  // namespace headlight
