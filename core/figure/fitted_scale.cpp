#include "core/figure/fitted_scale.h"

#include <algorithm>
#include <cmath>

namespace headlight {

void NumberRange::include(double value) {
    if (!std::isfinite(value))
        return;
    low = std::min(low, value);
    high = std::max(high, value);
    if (value > 0)
        smallest_positive = std::min(smallest_positive, value);
}

ColourScale fitted_scale(ColourScale scale, const NumberRange& range) {
    if (range.empty())
        return scale;
    if (scale.low == -scale.high && scale.high > 0) {
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

ColourScale norm_scale(const ViewSettings& settings, const NumberRange& range) {
    ColourScale scale;
    scale.map = settings.colour_map;
    scale.high = range.empty() || range.high <= 0 ? 1 : range.high;
    scale.kind = settings.scale;
    return settings.range == RangeKind::fitted || scale.kind == ScaleKind::logarithmic
               ? fitted_scale(scale, range)
               : scale;
}

}  // namespace headlight
