#pragma once

#include "core/figure/colour.h"
#include "core/figure/view_settings.h"

#include <limits>

namespace headlight {

/// The finite numbers among some: NaN and the infinities are passed over.
struct NumberRange {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    double smallest_positive = std::numeric_limits<double>::infinity();

    bool empty() const { return low > high; }
    void include(double value);
};

/// `scale` over exactly these numbers: from the smallest to the largest; from the smallest positive one, at
/// most a millionth of the largest, where it is logarithmic; alike on both sides of zero where its map has a
/// middle. As it is where there is nothing to fit to.
ColourScale fitted_scale(ColourScale scale, const NumberRange& range);

/// Of norms, which have no sign and no largest number that all of them share: from zero to the largest, or
/// fitted where the settings ask for it.
ColourScale norm_scale(const ViewSettings& settings, const NumberRange& range);

}  // namespace headlight
