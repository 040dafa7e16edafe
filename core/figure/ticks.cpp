#include "core/figure/ticks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headlight {

namespace {

constexpr const char* minus_sign = "\u2212";

/// "10⁻³"
std::string power_of_ten(int exponent) {
    constexpr std::array<const char*, 10> superscripts{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "10⁻" : "10";
    for (const char digit : std::to_string(std::abs(exponent)))
        text += superscripts[static_cast<std::size_t>(digit - '0')];
    return text;
}

/// A bar with room for a few labels still says how far it reaches.
std::vector<Tick> ends(double low, double high) {
    const int decimals =
        std::max(useful_decimals(std::max(std::abs(low), std::abs(high))), useful_decimals(high - low));
    return {{low, format_fixed(low, decimals)}, {high, format_fixed(high, decimals)}};
}

std::vector<Tick> linear_ticks(double low, double high, int limit) {
    const auto inside = [&](double step) {
        return std::floor(high / step + 1e-6) - std::ceil(low / step - 1e-6) + 1;
    };
    double step = std::pow(10.0, std::floor(std::log10((high - low) / limit)));
    for (const double factor : {1.0, 2.0, 2.5, 2.0}) {  // 1, 2, 5, 10 times the power of ten below
        step *= factor;
        if (inside(step) <= limit)
            break;
    }
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
    std::vector<Tick> ticks;
    const double slack = 1e-6 * step;  // a tick at the very end must not be lost to rounding
    for (double n = std::ceil((low - slack) / step); n * step <= high + slack; ++n)
        ticks.push_back({n * step, format_fixed(n * step, decimals)});
    return ticks.size() > 1 ? ticks : ends(low, high);
}

std::vector<Tick> decade_ticks(double low, double high, int limit) {
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    if (last - first < 1) {  // less than two decades: the round numbers of a linear axis lie well enough
        auto ticks = linear_ticks(low, high, limit);
        std::erase_if(ticks, [&](const Tick& tick) { return tick.value < low; });
        return ticks;
    }
    const int stride = (last - first) / std::max(1, limit - 1) + 1;
    const bool short_labels = first >= -2 && last <= 3;
    std::vector<Tick> ticks;
    for (int exponent = last; exponent >= first; exponent -= stride) {
        const double value = std::pow(10.0, exponent);
        ticks.push_back(
            {value, short_labels ? format_fixed(value, std::max(0, -exponent)) : power_of_ten(exponent)});
    }
    std::ranges::reverse(ticks);
    if (ticks.front().value <= low * (1 + 1e-9))
        ticks.front().label = "≤\u2009" + ticks.front().label;
    return ticks;
}

/// How far along the bar of the scale a number stands, 0 to 1.
double share_of_bar(const ColourScale& scale, double value) {
    if (scale.kind == ScaleKind::logarithmic && scale.low > 0)
        return std::log(value / scale.low) / std::log(scale.high / scale.low);
    return (value - scale.low) / (scale.high - scale.low);
}

/// The label of an end, also of one that its decimals leave nothing of: "2·10⁻⁵".
std::string end_label(const Tick& end) {
    if (end.value == 0 || end.label.find_first_of("123456789") != std::string::npos)
        return end.label;
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(end.value))));
    return format_fixed(end.value / std::pow(10.0, exponent), 0) + "·" + power_of_ten(exponent);
}

/// The ends that stand for more than their number get a tick that says so, in place of what is too near.
void mark_clipped(std::vector<Tick>& ticks, const ColourScale& scale, int limit) {
    const std::vector<Tick> both = ends(scale.low, scale.high);
    const double near = 0.6 / limit;
    const auto make_room = [&](double end) {
        std::erase_if(
            ticks, [&](const Tick& tick) { return std::abs(share_of_bar(scale, tick.value) - end) < near; });
    };
    if (scale.clips_low) {
        make_room(0);
        ticks.insert(ticks.begin(), {both[0].value, "≤\u2009" + end_label(both[0])});
    }
    if (scale.clips_high) {
        make_room(1);
        ticks.push_back({both[1].value, "≥\u2009" + end_label(both[1])});
    }
    if (ticks.size() == 1)
        ticks.insert(scale.clips_low ? ticks.end() : ticks.begin(), both[scale.clips_low ? 1 : 0]);
    while (std::ssize(ticks) > limit && ticks.size() > 2)
        ticks.erase(ticks.begin() + (scale.clips_low ? 1 : 0));
}

}  // namespace

std::string format_fixed(double value, int decimals) {
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value < 0 ? std::string(minus_sign) + "∞" : "∞";
    std::array<char, 400> buffer;  // the largest double has 309 digits before the point
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value),
                                   std::chars_format::fixed, decimals);
    const std::string digits(buffer.data(), end.ptr);
    const bool zero = digits.find_first_not_of("0.") == std::string::npos;
    return value < 0 && !zero ? minus_sign + digits : digits;
}

int useful_decimals(double largest_magnitude) {
    if (!(largest_magnitude > 0) || std::isinf(largest_magnitude))
        return 2;
    return std::clamp(2 - static_cast<int>(std::floor(std::log10(largest_magnitude))), 0, 4);
}

std::vector<Tick> nice_ticks(const ColourScale& scale, int limit) {
    if (!(scale.high > scale.low) || !std::isfinite(scale.low) || !std::isfinite(scale.high))
        return {{scale.low, format_fixed(scale.low, useful_decimals(std::abs(scale.low)))}};
    std::vector<Tick> ticks = scale.kind == ScaleKind::logarithmic && scale.low > 0
                                  ? decade_ticks(scale.low, scale.high, limit)
                                  : linear_ticks(scale.low, scale.high, limit);
    if (scale.clips_low || scale.clips_high)
        mark_clipped(ticks, scale, limit);
    return ticks;
}

}  // namespace headlight
