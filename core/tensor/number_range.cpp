#include "core/tensor/number_range.h"

#include <cstddef>

namespace headlight {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// In lanes that the processor works on together: the stages of 512 tokens are millions of numbers, and a
/// picture of them must not keep a person waiting.
template <class NumberAt>
NumberRange range_in_lanes(std::size_t count, const NumberAt& number_at) {
    constexpr std::size_t lanes = 8;
    double low[lanes], high[lanes], smallest_positive[lanes];
    std::fill_n(low, lanes, infinity);
    std::fill_n(high, lanes, -infinity);
    std::fill_n(smallest_positive, lanes, infinity);
    const auto include = [&](double value, std::size_t lane) {
        // Comparisons that NaN and the infinities fail.
        const double above = value > -infinity ? value : infinity;
        const double below = value < infinity ? value : -infinity;
        const double positive = value > 0 ? value : infinity;
        low[lane] = above < low[lane] ? above : low[lane];
        high[lane] = below > high[lane] ? below : high[lane];
        smallest_positive[lane] = positive < smallest_positive[lane] ? positive : smallest_positive[lane];
    };
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            include(number_at(i + lane), lane);
    for (; i < count; ++i)
        include(number_at(i), 0);
    return {*std::min_element(low, low + lanes), *std::max_element(high, high + lanes),
            *std::min_element(smallest_positive, smallest_positive + lanes)};
}

}  // namespace

NumberRange range_of_numbers(std::span<const double> numbers, std::span<const std::uint8_t> left_out) {
    if (left_out.size() != numbers.size())
        return range_in_lanes(numbers.size(), [&](std::size_t at) { return numbers[at]; });
    return range_in_lanes(numbers.size(), [&](std::size_t at) {
        return left_out[at] ? std::numeric_limits<double>::quiet_NaN() : numbers[at];
    });
}

}  // namespace headlight
