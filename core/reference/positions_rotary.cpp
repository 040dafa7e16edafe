#include "core/reference/positions_rotary.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace headlight::reference {
namespace {

double plain_angle(double base, std::size_t dimensions, std::size_t pair) {
    return std::exp(-std::log(base) * 2.0 * double(pair) / double(dimensions));
}

/// The pair, as a fraction, that turns `times` times within the original length: base^(2x/d) 2 pi times = L.
double pair_with_turns(const RotaryRule& rule, double times) {
    const double wavelength = rule.original_length / times;
    return double(rule.dimensions) / 2 * std::log(wavelength / (2 * std::numbers::pi)) / std::log(rule.base);
}

/// 1 where the pair keeps its angle, 0 where it is divided by the factor.
double kept_share(const RotaryRule& rule, std::size_t pair) {
    if (rule.scaling == "yarn") {
        const double first = std::max(0.0, std::floor(pair_with_turns(rule, 32)));
        const double last = std::min(double(rule.dimensions) - 1, std::ceil(pair_with_turns(rule, 1)));
        if (double(pair) <= first)
            return 1;
        return double(pair) >= last ? 0 : (last - double(pair)) / (last - first);
    }
    const double wavelength = 2 * std::numbers::pi / plain_angle(rule.base, rule.dimensions, pair);
    if (wavelength < rule.original_length / 4)
        return 1;
    if (wavelength > rule.original_length)
        return 0;
    return (rule.original_length / wavelength - 1) / (4 - 1);
}

double grown_base(const RotaryRule& rule) {
    if (rule.dimensions <= 2)
        return rule.base;
    double stretch = 1;
    if (rule.scaling == "ntk")
        stretch = rule.factor;
    if (rule.scaling == "dynamic_ntk" && double(rule.tokens) > rule.original_length)
        stretch = rule.factor * double(rule.tokens) / rule.original_length - (rule.factor - 1);
    else if (rule.scaling == "dynamic_ntk")
        stretch = 1;
    return rule.base * std::pow(stretch, double(rule.dimensions) / (double(rule.dimensions) - 2));
}

}  // namespace

double rotary_angle(const RotaryRule& rule, std::size_t pair) {
    const double angle = plain_angle(grown_base(rule), rule.dimensions, pair);
    if (rule.scaling == "linear")
        return angle / rule.factor;
    if (rule.scaling == "yarn" || rule.scaling == "llama3") {
        const double kept = kept_share(rule, pair);
        return kept * angle + (1 - kept) * angle / rule.factor;
    }
    return angle;
}

double rotary_length(const RotaryRule& rule) {
    return rule.scaling == "yarn" ? 1 + std::log(rule.factor) / 10 : 1;
}

Row rotated(const RotaryRule& rule, const Row& vector, std::size_t place, const Row& length_of_pairs) {
    Row result = vector;
    for (std::size_t pair = 0; pair < rule.dimensions / 2; ++pair) {
        const std::size_t a = rule.interleaved ? 2 * pair : pair;
        const std::size_t b = rule.interleaved ? 2 * pair + 1 : pair + rule.dimensions / 2;
        const double length = length_of_pairs.empty() ? rotary_length(rule) : length_of_pairs[pair];
        const auto turned =
            std::complex(vector[a], vector[b]) * std::polar(length, double(place) * rotary_angle(rule, pair));
        result[a] = turned.real();
        result[b] = turned.imag();
    }
    return result;
}

Row xpos_lengths(std::size_t dimensions, std::size_t place, double scale_base, double sign) {
    Row lengths;
    for (std::size_t pair = 0; pair < dimensions / 2; ++pair) {
        const double zeta = (2.0 * double(pair) + 0.4 * double(dimensions)) / (1.4 * double(dimensions));
        lengths.push_back(std::exp(sign * double(place) / scale_base * std::log(zeta)));
    }
    return lengths;
}

}  // namespace headlight::reference
