#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace headlight {

/// The finite numbers among some: NaN and the infinities are passed over.
struct NumberRange {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    double smallest_positive = std::numeric_limits<double>::infinity();

    bool empty() const { return low > high; }
    /// How far the furthest of them is from 0; 0 where there are none.
    double furthest() const { return empty() ? 0 : std::max(std::abs(low), std::abs(high)); }
    void include(double value) {
        if (!std::isfinite(value))
            return;
        low = std::min(low, value);
        high = std::max(high, value);
        if (value > 0)
            smallest_positive = std::min(smallest_positive, value);
    }
    /// All of another, each divided by a number above 0.
    void include_divided(const NumberRange& other, double by) {
        low = std::min(low, other.low / by);
        high = std::max(high, other.high / by);
        smallest_positive = std::min(smallest_positive, other.smallest_positive / by);
    }
};

/// The range of the numbers that count: the finite ones, without those that `left_out` has a 1 for, where it
/// is as long. These are the pairs that a mask forbids: they are hatched, and neither what stands in their
/// place nor the 0 of a weight is a number that a colour shows.
NumberRange range_of_numbers(std::span<const double> numbers, std::span<const std::uint8_t> left_out = {});

}  // namespace headlight
