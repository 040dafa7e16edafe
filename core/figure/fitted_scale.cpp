#include "core/figure/fitted_scale.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

/// Zero is in the middle of its map.
bool is_signed(const ColourScale& scale) { return scale.low == -scale.high && scale.high > 0; }

ColourScale between_numbers(ColourScale scale, const ColourRange& range, const NumberRange& all) {
    if (is_signed(scale) != (range.from < 0))
        return scale;
    if (is_signed(scale)) {
        scale.high = std::max(std::abs(range.from), std::abs(range.to));
        scale.low = -scale.high;
    } else {
        constexpr double decades_of_unit = 1e-4;  // as far as a logarithmic scale to 1 reaches
        const bool is_too_low = scale.kind == ScaleKind::logarithmic && range.from <= 0;
        scale.low = is_too_low ? decades_of_unit * range.to : range.from;
        scale.high = range.to;
    }
    // Nobody knows the least and the largest number of a map in tiles.
    scale.clips_low = all.empty() ? scale.low != 0 : all.low < scale.low;
    scale.clips_high = all.empty() || all.high > scale.high;
    return scale;
}

/// Splitmix64, for places that follow no pattern of rows and columns.
std::uint64_t scattered(std::uint64_t number) {
    number += 0x9e3779b97f4a7c15U;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9U;
    number = (number ^ (number >> 27)) * 0x94d049bb133111ebU;
    return number ^ (number >> 31);
}

}  // namespace

ColourScale fitted_scale(ColourScale scale, const NumberRange& range) {
    if (range.empty())
        return scale;
    scale.clips_low = scale.clips_high = false;
    if (is_signed(scale)) {
        const double most = std::max(std::abs(range.low), std::abs(range.high));
        scale.high = most > 0 ? most : scale.high;
        scale.low = -scale.high;
    } else if (scale.kind == ScaleKind::logarithmic) {
        if (range.high > 0) {
            scale.low = std::max(range.smallest_positive, 1e-6 * range.high);
            scale.high = range.high;
        }
    } else {
        scale.low = range.low < range.high ? range.low : 0;
        scale.high = range.high;
    }
    return scale;
}

void EvenSample::take(std::span<const double> numbers, std::span<const std::uint8_t> left_out) {
    if (stretch_ == 0)
        return;
    const bool are_left_out = left_out.size() == numbers.size();
    const std::size_t end = passed_ + numbers.size();
    for (std::size_t stretch = passed_ / stretch_; stretch * stretch_ < end; ++stretch) {
        const std::size_t at = stretch * stretch_ + scattered(stretch) % stretch_;
        if (at < passed_ || at >= end)
            continue;
        const double number = numbers[at - passed_];
        if (std::isfinite(number) && !(are_left_out && left_out[at - passed_]))
            numbers_.push_back(number);
    }
    passed_ = end;
}

double percentile(std::vector<double>& numbers, double percent) {
    const double place = percent / 100 * static_cast<double>(numbers.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), numbers.size() - 1);
    const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(below);
    std::ranges::nth_element(numbers, at);
    if (at + 1 == numbers.end())
        return *at;
    const double above = *std::min_element(at + 1, numbers.end());
    return *at + (place - static_cast<double>(below)) * (above - *at);
}

ColourScale ranged_scale(ColourScale scale, const ColourRange& range, const NumberRange& all,
                         std::vector<double> sample) {
    if (range.kind == RangeKind::unit)
        return scale;
    if (range.kind == RangeKind::numbers)
        return between_numbers(std::move(scale), range, all);
    if (range.kind == RangeKind::fitted || sample.empty())
        return fitted_scale(std::move(scale), all);
    const double low = percentile(sample, range.from), high = percentile(sample, range.to);
    if (!(low < high))
        return fitted_scale(std::move(scale), all);
    scale = fitted_scale(std::move(scale), {low, high, low > 0 ? low : all.smallest_positive});
    scale.clips_low = all.low < scale.low;
    scale.clips_high = all.high > scale.high;
    return scale;
}

ColourScale norm_scale(const ViewSettings& settings, const NumberRange& range, std::vector<double> sample) {
    ColourScale scale;
    scale.map = settings.colour_map;
    scale.high = range.empty() || range.high <= 0 ? 1 : range.high;
    scale.kind = settings.scale;
    const bool from_zero = settings.range.kind == RangeKind::unit && scale.kind == ScaleKind::linear;
    return from_zero
               ? scale
               : ranged_scale(scale,
                              settings.range.kind == RangeKind::unit ? RangeKind::fitted : settings.range,
                              range, std::move(sample));
}

}  // namespace headlight
