#include "core/figure/flow_strip.h"

#include <algorithm>
#include <cmath>
#include <functional>
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

/// [token]: whether its word is written. No two of them are closer to each other than words.
std::vector<bool> named_tokens(Index tokens, double pitch, std::optional<Index> selected,
                               const std::vector<double>& shares) {
    const Index stride = round_stride(least_pitch / pitch);
    const auto apart =
        static_cast<Index>(std::ceil(least_pitch / pitch));  // tokens from one word to the next
    std::vector<bool> named(static_cast<std::size_t>(tokens), false);
    const auto name = [&](Index token) {
        const Index begin = std::max<Index>(0, token - apart + 1), end = std::min(tokens, token + apart);
        if (std::find(named.begin() + begin, named.begin() + end, true) == named.begin() + end)
            named[static_cast<std::size_t>(token)] = true;
    };
    if (selected && *selected < tokens)  // maps of a file may have fewer tokens at one site than at another
        name(*selected);
    std::vector<Index> thickest;
    for (Index token = 0; token < std::min<Index>(tokens, std::ssize(shares)); ++token)
        if (shares[static_cast<std::size_t>(token)] > 0)
            thickest.push_back(token);
    std::ranges::stable_sort(thickest, std::ranges::greater(),
                             [&](Index token) { return shares[static_cast<std::size_t>(token)]; });
    std::ranges::for_each(thickest, name);
    for (Index token = 0; token < tokens; token += stride)
        name(token);
    return named;
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

std::vector<StripToken> strip_of(Index tokens, double top, double bottom, std::optional<Index> selected,
                                 const std::vector<double>& shares) {
    if (tokens == 0)
        return {};
    const auto steps = static_cast<double>(tokens - 1);
    const double pitch = std::min(usual_pitch, (bottom - top - 1) / std::max(steps, 1.0)),
                 first = 0.5 * (top + bottom - pitch * steps);
    const std::vector<bool> named = named_tokens(tokens, pitch, selected, shares);
    std::vector<StripToken> strip;
    for (Index token = 0; token < tokens; ++token)
        if (const bool is_named = named[static_cast<std::size_t>(token)]; is_named || tokens <= most_arrows)
            strip.push_back({token, first + pitch * static_cast<double>(token), is_named});
    return strip;
}

}  // namespace headlight
