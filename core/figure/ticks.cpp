#include "core/figure/ticks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headlight {

namespace {

constexpr const char* minus_sign = "\u2212";

/// Digits, with a sign and a point.
std::string raised(const std::string& number) {
    constexpr std::array<const char*, 10> superscripts{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    for (const char c : number)
        text += c == '-' ? "⁻" : c == '.' ? "·" : superscripts[static_cast<std::size_t>(c - '0')];
    return text;
}

/// "10⁻³"
std::string power_of_ten(int exponent) { return "10" + raised(std::to_string(exponent)); }

/// Returns the power of ten of a number that is not zero: 3 for 1234.5.
int exponent_of(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

/// "1.7·10³⁰⁸", with `decimals` of the number before the power.
std::string scientific(double value, int decimals) {
    const int exponent = exponent_of(value);
    // In two steps: the power of ten of a denormal number is none that a double holds exactly.
    const double mantissa = value / std::pow(10.0, exponent / 2) / std::pow(10.0, exponent - exponent / 2);
    return format_fixed(mantissa, decimals) + "·" + power_of_ten(exponent);
}

/// The numbers of a bar with their last decimal at 10^-decimals, as powers of ten where plain ones have more
/// than six digits: the bar has no room for them.
std::vector<Tick> labelled(const std::vector<double>& values, int decimals) {
    double largest = 0;
    for (const double value : values)
        largest = std::max(largest, std::abs(value));
    const bool plain = largest < 1e6 || (largest < 1e12 && decimals > 0);
    std::vector<Tick> ticks;
    for (const double value : values) {
        if (plain || value == 0)
            ticks.push_back({value, format_fixed(value, value == 0 && !plain ? 0 : std::max(0, decimals))});
        else
            ticks.push_back({value, scientific(value, std::max(0, exponent_of(value) + decimals))});
    }
    return ticks;
}

/// The decimals of the ends of a bar; of large ones fewer than none.
int decimals_of_ends(double low, double high) {
    const double largest = std::max(std::abs(low), std::abs(high));
    return largest < 1e6 ? std::max(useful_decimals(largest), useful_decimals(high - low))
                         : 2 - exponent_of(largest);
}

/// A bar with room for a few labels still says how far it reaches. An end that its decimals leave nothing of
/// is a power of ten, however many labels have room: "2·10⁻⁵".
std::vector<Tick> ends(double low, double high) {
    std::vector<Tick> both = labelled({low, high}, decimals_of_ends(low, high));
    for (Tick& end : both)
        if (end.value != 0 && end.label.find_first_of("123456789") == std::string::npos)
            end.label = scientific(end.value, 0);
    return both;
}

std::vector<Tick> linear_ticks(double low, double high, int limit) {
    const double slack = 1e-6;  // of a step: a tick at the very end must not be lost to rounding
    const auto inside = [&](double step) {
        return std::floor(high / step + slack) - std::ceil(low / step - slack) + 1;
    };
    // Halves are subtracted: the range of two doubles may be larger than any double.
    double step = std::pow(10.0, std::floor(std::log10(2 * ((high / 2 - low / 2) / limit))));
    for (const double factor : {1.0, 2.0, 2.5, 2.0}) {  // 1, 2, 5, 10 times the power of ten below
        step *= factor;
        if (inside(step) <= limit)
            break;
    }
    if (!(step > 0) || !std::isfinite(step))
        return ends(low, high);
    std::vector<double> values;
    const double first = std::ceil(low / step - slack);
    const int count = std::max(0, static_cast<int>(inside(step)));
    values.reserve(static_cast<std::size_t>(count));
    for (int n = 0; n < count; ++n)
        values.push_back((first + n) * step);
    if (values.size() < 2)
        return ends(low, high);
    return labelled(values, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
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

/// The ends that stand for more than their number get a tick that says so, in place of what is too near.
void mark_clipped(std::vector<Tick>& ticks, const ColourScale& scale, int limit) {
    const std::vector<Tick> both = ends(scale.low, scale.high);
    const double near = 0.6 / limit;
    const auto make_room = [&](double end) {
        std::erase_if(ticks,
                      [&](const Tick& tick) { return std::abs(scale.along_bar(tick.value) - end) < near; });
    };
    if (scale.clips_low) {
        make_room(0);
        ticks.insert(ticks.begin(), {both[0].value, "≤\u2009" + both[0].label});
    }
    if (scale.clips_high) {
        make_room(1);
        ticks.push_back({both[1].value, "≥\u2009" + both[1].label});
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

std::string power_text(const std::string& of, double exponent) {
    const auto hundredths = static_cast<int>(std::lround(100 * exponent));
    if (hundredths == 100)
        return of;
    if (hundredths % 100 == 0)
        return of + raised(std::to_string(hundredths / 100));
    const std::string digits = std::to_string(100 + std::abs(hundredths) % 100);
    return of + raised((hundredths < 0 ? "-" : "") + std::to_string(std::abs(hundredths) / 100) + '.' +
                       digits.substr(1));
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

std::vector<Tick> bar_ticks(const ColourScale& scale, int limit) {
    std::vector<Tick> ticks = nice_ticks(scale, limit);
    if (ticks.size() < 2)
        return ticks;
    const auto along = [&](const Tick& tick) { return scale.along_bar(tick.value); };
    const bool has_floor = scale.kind == ScaleKind::logarithmic && scale.low > 0;
    const double near = 0.6 / limit, slack = 1e-6;
    for (Tick& end : ends(scale.low, scale.high)) {
        const double place = along(end);
        if (std::ranges::any_of(ticks,
                                [&](const Tick& tick) { return std::abs(along(tick) - place) < slack; }))
            continue;
        const bool is_low = end.value == scale.low;
        std::erase_if(ticks, [&](const Tick& tick) { return std::abs(along(tick) - place) < near; });
        if (is_low && has_floor)
            end.label.insert(0, "≤\u2009");
        ticks.insert(is_low ? ticks.begin() : ticks.end(), end);
    }
    const double zero = scale.along_bar(0);
    const bool lacks_zero = std::ranges::none_of(ticks, [](const Tick& tick) { return tick.value == 0; });
    if (parts_at_zero(scale) && lacks_zero && limit > 2 && zero >= near && zero <= 1 - near)
        ticks.insert(std::ranges::find_if(ticks, [](const Tick& tick) { return tick.value > 0; }), {0, "0"});
    // What is nearest to an end goes first. Zero is the last: on a diverging scale the colours part there.
    const auto worth = [&](const Tick& tick) {
        return tick.value == 0 ? 1.0 : std::min(along(tick), 1 - along(tick));
    };
    // Round numbers of a logarithmic bar are the closer to each other the larger they are.
    for (std::size_t at = 1; has_floor && at + 1 < ticks.size();)
        if (along(ticks[at]) - along(ticks[at - 1]) < near)
            ticks.erase(ticks.begin() + static_cast<std::ptrdiff_t>(at));
        else
            ++at;
    const bool is_symmetric = scale.low == -scale.high;
    while (std::ssize(ticks) > limit && ticks.size() > 2) {
        const auto least = std::min_element(
            ticks.begin() + 1, ticks.end() - 1,
            [&](const Tick& one, const Tick& other) { return worth(one) < worth(other); });
        const double gone = least->value;
        ticks.erase(least);
        // A number on one side of zero alone would say that the other side does not reach as far.
        if (is_symmetric && gone != 0)
            std::erase_if(ticks, [&](const Tick& tick) {
                return std::abs(tick.value + gone) < slack * scale.high;
            });
    }
    return ticks;
}

bool parts_at_zero(const ColourScale& scale) {
    return colour_map(scale.map).diverging && scale.low < 0 && scale.high > 0;
}

std::vector<Tick> brief_bar_ticks(const ColourScale& scale, int dropped) {
    const double range = scale.high - scale.low;
    if (!parts_at_zero(scale) || !std::isfinite(range) || scale.clips_low || scale.clips_high)
        return {};
    const int decimals = decimals_of_ends(scale.low, scale.high) - dropped;
    const double step = std::pow(10.0, -decimals);
    constexpr double most_off = 1.0 / 60;  // a bar that ends at 0.529 does not end at 0.5
    for (const double end : {scale.low, scale.high})
        if (std::abs(std::round(end / step) * step - end) > most_off * std::abs(end))
            return {};
    std::vector<Tick> ticks = labelled({scale.low, scale.high}, decimals);
    ticks.insert(ticks.begin() + 1, {0, "0"});
    return ticks;
}

}  // namespace headlight
