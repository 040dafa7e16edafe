#include "tests/reference/positions_rotary.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace headlight::reference {
namespace {

Number plain_angle(Number base, std::size_t dimensions, std::size_t pair) {
    return std::exp(-std::log(base) * 2.0 * Number(pair) / Number(dimensions));
}

/// The pair, as a fraction, that turns `times` times within the original length: base^(2x/d) 2 pi times = L.
Number pair_with_turns(const RotaryRule& rule, Number times) {
    const Number wavelength = rule.original_length / times;
    return Number(rule.dimensions) / 2 * std::log(wavelength / (2 * std::numbers::pi)) / std::log(rule.base);
}

/// 1 where the pair keeps its angle, 0 where it is divided by the factor.
Number kept_share(const RotaryRule& rule, std::size_t pair) {
    const Number wavelength = 2 * std::numbers::pi / plain_angle(rule.base, rule.dimensions, pair);
    const Number turns = rule.original_length / wavelength;
    if (rule.scaling == "yarn" && rule.ramp_over_turns)
        return turns < 1 ? 0 : turns > 32 ? 1 : (turns - 1) / (32 - 1);
    if (rule.scaling == "yarn") {
        const Number first = std::max(Number(0), std::floor(pair_with_turns(rule, 32)));
        const Number last = std::min(Number(rule.dimensions) - 1, std::ceil(pair_with_turns(rule, 1)));
        if (Number(pair) <= first)
            return 1;
        return Number(pair) >= last ? 0 : (last - Number(pair)) / (last - first);
    }
    if (wavelength < rule.original_length / 4)
        return 1;
    if (wavelength > rule.original_length)
        return 0;
    return (turns - 1) / (4 - 1);
}

Number grown_base(const RotaryRule& rule) {
    if (rule.dimensions <= 2)
        return rule.base;
    Number stretch = 1;
    if (rule.scaling == "ntk")
        stretch = rule.factor;
    if (rule.scaling == "dynamic_ntk" && Number(rule.tokens) > rule.original_length)
        stretch = rule.factor * Number(rule.tokens) / rule.original_length - (rule.factor - 1);
    else if (rule.scaling == "dynamic_ntk")
        stretch = 1;
    return rule.base * std::pow(stretch, Number(rule.dimensions) / (Number(rule.dimensions) - 2));
}

}  // namespace

Number rotary_angle(const RotaryRule& rule, std::size_t pair) {
    if (Number(2 * (pair + 1)) > rule.turned_share * Number(rule.dimensions))
        return 0;
    const Number angle = plain_angle(grown_base(rule), rule.dimensions, pair);
    if (rule.scaling == "linear")
        return angle / rule.factor;
    if (rule.scaling == "yarn" || rule.scaling == "llama3") {
        const Number kept = kept_share(rule, pair);
        return kept * angle + (1 - kept) * angle / rule.factor;
    }
    if (rule.scaling == "longrope" && !rule.pair_factors.empty())
        return angle / (pair < rule.pair_factors.size() ? rule.pair_factors[pair] : rule.pair_factors.back());
    return angle;
}

Number rotary_length(const RotaryRule& rule) {
    if (rule.scaling == "longrope")
        return std::sqrt(std::log(rule.original_length * rule.factor) / std::log(rule.original_length));
    return rule.scaling == "yarn" ? 1 + std::log(rule.factor) / 10 : 1;
}

Row rotated(const RotaryRule& rule, const Row& vector, std::size_t place, const Row& length_of_pairs) {
    Row result = vector;
    for (std::size_t pair = 0; pair < rule.dimensions / 2; ++pair) {
        const std::size_t a = rule.interleaved ? 2 * pair : pair;
        const std::size_t b = rule.interleaved ? 2 * pair + 1 : pair + rule.dimensions / 2;
        const Number length = length_of_pairs.empty() ? rotary_length(rule) : length_of_pairs[pair];
        const auto turned =
            std::complex(vector[a], vector[b]) * std::polar(length, Number(place) * rotary_angle(rule, pair));
        result[a] = turned.real();
        result[b] = turned.imag();
    }
    return result;
}

Row turned_back_a_quarter(const RotaryRule& rule, const Row& vector) {
    Row result = vector;
    for (std::size_t pair = 0; pair < rule.dimensions / 2; ++pair) {
        const std::size_t a = rule.interleaved ? 2 * pair : pair;
        const std::size_t b = rule.interleaved ? 2 * pair + 1 : pair + rule.dimensions / 2;
        result[a] = vector[b];
        result[b] = -vector[a];
    }
    return result;
}

Row turned_by_series(const FourierRule& rule, const Row& vector, std::size_t place) {
    const std::size_t pairs = vector.size() / 2;
    Row frequencies;
    for (std::size_t i = 0; i < pairs; ++i) {
        const Number frequency = plain_angle(rule.base, vector.size(), i);
        const bool is_slow = frequency < 2 * std::numbers::pi / rule.original_length;
        if (!is_slow || !rule.leaves_out)
            frequencies.push_back(is_slow ? 0 : frequency);
    }
    const std::size_t waves = frequencies.size(),
                      series = rule.leaves_out ? std::min(waves, pairs / 2) : pairs;
    Row result = vector;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        Number cosine = 1, sine = 1;
        if (pair < series) {
            cosine = sine = 0;
            for (std::size_t wave = 0; wave < waves; ++wave) {
                const Number first = wave == pair * ((waves + series - 1) / series) ? 1 : 0;
                const Number angle = Number(place) * frequencies[wave];
                cosine += (first + rule.cosines(wave, pair)) * std::cos(angle);
                sine += (first + rule.sines(wave, pair)) * std::sin(angle);
            }
        }
        const std::size_t a = pair, b = pair + pairs;
        result[a] = vector[a] * cosine - vector[b] * sine;
        result[b] = vector[b] * cosine + vector[a] * sine;
    }
    return result;
}

Row xpos_lengths(std::size_t dimensions, std::size_t place, Number scale_base, Number sign) {
    Row lengths;
    for (std::size_t pair = 0; pair < dimensions / 2; ++pair) {
        const Number zeta = (2.0 * Number(pair) + 0.4 * Number(dimensions)) / (1.4 * Number(dimensions));
        lengths.push_back(std::exp(sign * Number(place) / scale_base * std::log(zeta)));
    }
    return lengths;
}

std::vector<std::size_t> grid_coordinates(const GridRotaryRule& rule, std::size_t place) {
    if (place < rule.text)
        return std::vector<std::size_t>(rule.sections.size(), place);
    std::size_t frame = 0, row = 0, column = 0;
    for (std::size_t token = rule.text; token < place; ++token) {
        if (++column < rule.columns)
            continue;
        column = 0;
        if (++row == rule.rows) {
            row = 0;
            ++frame;
        }
    }
    if (rule.sections.size() == 2)
        return {rule.text + row, rule.text + column};
    return {rule.text + frame, rule.text + row, rule.text + column};
}

Row rotated_on_grid(const GridRotaryRule& rule, const Row& vector, std::size_t place) {
    const std::size_t pairs = vector.size() / 2;
    const std::vector<std::size_t> coordinates = grid_coordinates(rule, place);
    std::size_t all = 0, so_far = 0, pair = 0;
    for (const std::size_t share : rule.sections)
        all += share;
    Row result = vector;
    for (std::size_t section = 0; section < rule.sections.size(); ++section) {
        so_far += rule.sections[section];
        const std::size_t first = pair, end = pairs * so_far / all;
        for (; pair < end; ++pair) {
            const Number share = rule.shared_speeds ? Number(pair) / Number(pairs)
                                                    : Number(pair - first) / Number(end - first);
            const Number angle = Number(coordinates[section]) * std::exp(-share * std::log(rule.base));
            const std::size_t a = rule.interleaved ? 2 * pair : pair;
            const std::size_t b = rule.interleaved ? 2 * pair + 1 : pair + pairs;
            const auto turned = std::complex(vector[a], vector[b]) * std::polar(Number(1), angle);
            result[a] = turned.real();
            result[b] = turned.imag();
        }
    }
    return result;
}

}  // namespace headlight::reference
