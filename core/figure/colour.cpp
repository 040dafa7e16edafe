#include "core/figure/colour.h"

#include "core/figure/colour_tables.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace headlight {

double linear_light(std::uint8_t channel) {
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(Rgb colour) {
    return 0.2126 * linear_light(colour.red) + 0.7152 * linear_light(colour.green) +
           0.0722 * linear_light(colour.blue);
}

std::span<const ColourMap> colour_maps() {
    static const ColourMap maps[] = {
        {"viridis", "Viridis", false, colour_tables::viridis},
        {"cividis", "Cividis", false, colour_tables::cividis},
        {"magma", "Magma", false, colour_tables::magma},
        {"greys", "Greys", false, colour_tables::greys},
        {"diverging", "Blue – red", true, colour_tables::diverging, colour_tables::diverging_on_dark},
    };
    return maps;
}

const ColourMap& colour_map(std::string_view name) {
    const auto maps = colour_maps();
    const auto found = std::ranges::find(maps, name, &ColourMap::name);
    if (found != maps.end())
        return *found;
    std::string names;
    for (const ColourMap& map : maps)
        names += (names.empty() ? "" : ", ") + std::string(map.name);
    throw Error({"choose a colour map", "", names, excerpt(std::string(name))});
}

double ColourScale::position(double value) const {
    if (std::isnan(value))
        return 0;
    if (kind == ScaleKind::logarithmic && low > 0) {
        if (value <= low || high <= low)
            return value > low ? 1 : 0;
        return std::min(1.0, along_bar(value));
    }
    if (colour_map(map).diverging) {
        const double reach = std::max(std::abs(low), std::abs(high));
        return reach > 0 ? std::clamp(0.5 + 0.5 * value / reach, 0.0, 1.0) : 0.5;
    }
    if (high <= low)
        return value > low ? 1 : 0;
    return std::clamp(along_bar(value), 0.0, 1.0);
}

// Halves are subtracted, since the range of two doubles may be larger than any double.
double ColourScale::along_bar(double value) const {
    if (kind == ScaleKind::logarithmic && low > 0)
        return std::log10(value / low) / std::log10(high / low);
    return high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0;
}

double ColourScale::at_bar(double fraction) const {
    if (kind == ScaleKind::logarithmic && low > 0)
        return low * std::pow(high / low, fraction);
    return 2 * (low / 2 + fraction * (high / 2 - low / 2));
}

Rgb ColourScale::colour(double value) const {
    const auto entry = std::min<std::size_t>(255, static_cast<std::size_t>(position(value) * 256));
    return colour_map(map).table[entry];
}

ColourLookup::ColourLookup(const ColourScale& scale)
    : table_(colour_map(scale.map).table), scale_(scale),
      linear_(scale.kind == ScaleKind::linear && scale.high > scale.low) {
    if (!linear_)
        return;
    const double reach = std::max(std::abs(scale.low), std::abs(scale.high));
    const bool diverging = colour_map(scale.map).diverging;
    const double range = diverging ? 2 * reach : scale.high - scale.low;
    linear_ = std::isfinite(range);
    offset_ = diverging ? -reach : scale.low;
    entries_per_unit_ = 256 / range;
}

namespace {

/// Entries of a scale that only rises, by comparison: a logarithm for each pixel takes longer than a frame.
class RisingEntries {
public:
    explicit RisingEntries(const ColourLookup& lookup) {
        constexpr std::uint32_t infinity = 0x7f800000;
        for (std::uint32_t entry = 1; entry < 256; ++entry) {
            // Positive floats are in the order of their bits.
            std::uint32_t below = 0, least = infinity;
            while (least - below > 1) {
                const std::uint32_t middle = below + (least - below) / 2;
                (lookup.entry(std::bit_cast<float>(middle)) >= entry ? least : below) = middle;
            }
            least_[entry] = std::bit_cast<float>(least);
        }
        least_[256] = std::numeric_limits<float>::infinity();
        for (std::size_t bucket = 0, entry = 0; bucket < first_.size(); ++bucket) {
            const auto start = std::bit_cast<float>(static_cast<std::uint32_t>(bucket << bits_in_bucket));
            while (entry < 255 && least_[entry + 1] <= start)
                ++entry;
            first_[bucket] = static_cast<std::uint8_t>(entry);
        }
    }

    std::uint16_t operator()(float value) const {
        if (!(value > 0))
            return 0;
        std::size_t entry = first_[std::bit_cast<std::uint32_t>(value) >> bits_in_bucket];
        while (entry < 255 && least_[entry + 1] <= value)
            ++entry;
        return static_cast<std::uint16_t>(entry);
    }

private:
    static constexpr int bits_in_bucket = 20;  // an eighth of an octave: a few entries

    std::array<float, 257> least_{};  ///< the least number of each entry
    std::array<std::uint8_t, (0x7f800000U >> bits_in_bucket) + 1> first_{};
};

}  // namespace

void ColourLookup::write_entries(std::span<const float> values, std::uint16_t missing,
                                 std::uint16_t* to) const {
    if (scale_.kind == ScaleKind::logarithmic && scale_.low > 0) {
        const RisingEntries entries(*this);
        for (const float value : values)
            *to++ = value == value ? entries(value) : missing;
        return;
    }
    if (!linear_) {
        for (const float value : values)
            *to++ = value == value ? entry(value) : missing;
        return;
    }
    // Without a branch: the processor works on several together.
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float value = values[i];
        double at = (static_cast<double>(value) - offset_) * entries_per_unit_;
        at = at > 0 ? at : 0;
        at = at < 255 ? at : 255;
        const auto code = static_cast<std::uint16_t>(static_cast<std::int32_t>(at));
        to[i] = value == value ? code : missing;
    }
}

}  // namespace headlight
