#include "core/figure/flow_strip.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

constexpr double usual_pitch = 1.15, least_pitch = 1.05;  // lines between two words
constexpr double most_strip_lines = 24;

/// 1, 2, 5, 10, 20, ...: the least that is as much.
Index round_stride(double least) {
    for (Index power = 1;; power *= 10)
        for (const Index step : {power, 2 * power, 5 * power})
            if (static_cast<double>(step) >= least)
                return step;
}

}  // namespace

double lines_of_strip(Index tokens) {
    return std::min(most_strip_lines, usual_pitch * static_cast<double>(tokens));
}

double least_apart(const std::vector<StripToken>& strip) {
    double least = strip.size() > 1 ? std::numeric_limits<double>::infinity() : 1;
    for (std::size_t at = 1; at < strip.size(); ++at)
        least = std::min(least, strip[at].line - strip[at - 1].line);
    return least;
}

std::vector<StripToken> strip_of(Index tokens, double top, double bottom, std::optional<Index> selected) {
    if (tokens == 0)
        return {};
    const auto steps = static_cast<double>(tokens - 1);
    const double pitch = std::min(usual_pitch, (bottom - top - 1) / std::max(steps, 1.0)),
                 first = 0.5 * (top + bottom - pitch * steps);
    const Index stride = round_stride(least_pitch / pitch);
    std::vector<StripToken> strip;
    for (Index token = 0; token < tokens; ++token) {
        const bool is_selected = token == selected;
        const bool is_beside_selected =
            selected && !is_selected &&
            pitch * static_cast<double>(std::abs(token - *selected)) < least_pitch;
        const bool is_named = is_selected || (token % stride == 0 && !is_beside_selected);
        if (is_named || tokens <= most_arrows)
            strip.push_back({token, first + pitch * static_cast<double>(token), is_named});
    }
    return strip;
}

}  // namespace headlight
