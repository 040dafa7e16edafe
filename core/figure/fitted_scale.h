#pragma once

#include "core/figure/colour.h"
#include "core/figure/view_settings.h"
#include "core/tensor/index.h"
#include "core/tensor/number_range.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headlight {

/// `scale` over exactly these numbers: from the smallest to the largest; from the smallest positive one, at
/// most a millionth of the largest, where it is logarithmic; alike on both sides of zero where its map has a
/// middle. As it is where there is nothing to fit to.
ColourScale fitted_scale(ColourScale scale, const NumberRange& range);

/// The finite numbers among many, for percentiles: all of them up to `most`, of more one out of each of
/// `most` equal stretches, so that a percentile of 16 million numbers takes milliseconds. The same every
/// time.
class EvenSample {
public:
    static constexpr std::size_t most = std::size_t(1) << 18;

    /// `total` is how many there are, finite or not.
    explicit EvenSample(std::size_t total) : stretch_(parts_of_size(total, most)) {}

    /// The next ones; without those that `left_out` has a 1 for, where it is as long.
    void take(std::span<const double> numbers, std::span<const std::uint8_t> left_out = {});
    const std::vector<double>& numbers() const { return numbers_; }

private:
    std::size_t stretch_, passed_ = 0;
    std::vector<double> numbers_;
};

/// The number below which `percent` of `numbers` lie, which are rearranged: between two of them in proportion
/// (definition 7 of Hyndman and Fan, Sample Quantiles in Statistical Packages, 1996, equation 7; NumPy's
/// "linear"). There must be one at least.
double percentile(std::vector<double>& numbers, double percent);

/// `scale` from and to where `range` says, and whether there are numbers outside. `all` is the range of the
/// numbers, `sample` some of them, which percentiles alone need. A range of given numbers that starts below
/// zero is for scales that have zero in their middle, others are for those that have not. Where both
/// percentiles are the same number, the scale is fitted to all.
ColourScale ranged_scale(ColourScale scale, const ColourRange& range, const NumberRange& all,
                         std::vector<double> sample = {});

/// Returns the scale of norms, which have no sign and no largest number that all of them share: from zero to
/// the largest, or fitted where the settings ask for it. `sample` is some of them, which percentiles alone
/// need.
ColourScale norm_scale(const ViewSettings& settings, const NumberRange& range,
                       std::vector<double> sample = {});

}  // namespace headlight
