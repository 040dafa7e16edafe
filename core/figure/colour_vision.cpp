#include "core/figure/colour_vision.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

template <>
std::span<const Word<ColourVision>> words() {
    static constexpr Word<ColourVision> list[] = {
        {ColourVision::usual, "usual", "with three kinds of cones"},
        {ColourVision::protanopia, "protanopia", "without the cones for long waves: reds are dark"},
        {ColourVision::deuteranopia, "deuteranopia",
         "without those for middle waves: red and green are alike"},
        {ColourVision::tritanopia, "tritanopia", "without those for short waves: blue and green are alike"},
        {ColourVision::grey, "grey", "printed in grey"},
    };
    return list;
}

namespace {

using Light = std::array<double, 3>;  // linear red, green, blue, 0 to 1
using ColourMatrix = std::array<Light, 3>;

constexpr ColourMatrix of_protanopia{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr ColourMatrix of_deuteranopia{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr ColourMatrix of_tritanopia{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
constexpr Light share_of_luminance{0.2126, 0.7152, 0.0722};
constexpr ColourMatrix of_grey{share_of_luminance, share_of_luminance, share_of_luminance};

std::uint8_t encoded(double light) {
    const double value = std::clamp(light, 0.0, 1.0);
    return static_cast<std::uint8_t>(
        std::lround(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1 / 2.4) - 0.055)));
}

}  // namespace

Rgb seen_with(ColourVision vision, Rgb colour) {
    if (vision == ColourVision::usual)
        return colour;
    const ColourMatrix& seen = vision == ColourVision::protanopia     ? of_protanopia
                         : vision == ColourVision::deuteranopia ? of_deuteranopia
                         : vision == ColourVision::tritanopia   ? of_tritanopia
                                                                : of_grey;
    const Light light{linear_light(colour.red), linear_light(colour.green), linear_light(colour.blue)};
    const auto channel = [&](std::size_t row) {
        return encoded(seen[row][0] * light[0] + seen[row][1] * light[1] + seen[row][2] * light[2]);
    };
    return {channel(0), channel(1), channel(2)};
}

double contrast(Rgb one, Rgb other) {
    const double lighter = std::max(luminance(one), luminance(other)),
                 darker = std::min(luminance(one), luminance(other));
    return (lighter + 0.05) / (darker + 0.05);
}

}  // namespace headlight
