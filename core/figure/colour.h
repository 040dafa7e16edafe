#pragma once

#include "core/figure/view_settings.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

struct Rgb {
    std::uint8_t red = 0, green = 0, blue = 0;
    bool operator==(const Rgb&) const = default;
};

/// Returns the linear light of an sRGB channel, 0 to 1 (IEC 61966-2-1).
double linear_light(std::uint8_t channel);

/// WCAG 2 relative luminance, 0 to 1: decides between dark and light text on a cell.
double luminance(Rgb colour);

/// A perceptually uniform map as a table from low to high.
struct ColourMap {
    std::string_view name;   ///< "viridis"
    std::string_view label;  ///< "Viridis"
    bool diverging = false;  ///< its middle stands for zero
    std::span<const Rgb, 256> table;
    std::span<const Rgb, 256> on_dark = table;  ///< on a dark ground, where a white zero would glare
};

/// viridis, cividis, magma, greys (white to black, for print), diverging (blue - white - red, on a dark
/// ground blue - dark - red).
std::span<const ColourMap> colour_maps();
/// Throws Error that lists the names when there is none.
const ColourMap& colour_map(std::string_view name);

/// From a number to a colour: linear or logarithmic between two ends. Logarithmic shows log10 and puts
/// everything at or below `low` (which is then > 0) at the low end. A diverging map is centred on zero.
struct ColourScale {
    std::string map = "viridis";
    ScaleKind kind = ScaleKind::linear;
    double low = 0;
    double high = 1;
    /// There are numbers below `low`, or above `high`, which have the colour of that end.
    bool clips_low = false, clips_high = false;

    double position(double value) const;  ///< 0 to 1 along the map
    /// How far along the colour bar a number stands: 0 at its low end, 1 at its high end, 0 everywhere if
    /// they are one.
    double along_bar(double value) const;
    double at_bar(double fraction) const;  ///< the number there
    Rgb colour(double value) const;
    bool operator==(const ColourScale&) const = default;
};

/// A scale prepared for many numbers: what a picture of a million cells is painted with.
class ColourLookup {
public:
    explicit ColourLookup(const ColourScale& scale);

    std::span<const Rgb, 256> table() const { return table_; }
    /// The table entry that ColourScale::colour(value) is.
    std::uint8_t entry(double value) const {
        const double at = linear_ ? (value - offset_) * entries_per_unit_ : scale_.position(value) * 256;
        return static_cast<std::uint8_t>(at > 0 ? (at < 255 ? at : 255) : 0);  // NaN fails the comparison
    }

    /// entry() of many numbers, quicker than one by one; `missing` for NaN. [values.size()] in `to`
    void write_entries(std::span<const float> values, std::uint16_t missing, std::uint16_t* to) const;

private:
    std::span<const Rgb, 256> table_;
    ColourScale scale_;
    bool linear_;
    double offset_ = 0, entries_per_unit_ = 0;  ///< linear: entry = (value - offset) * entries_per_unit
};

}  // namespace headlight
