// Colours as people see them who lack a kind of cones: against numbers of the paper, by hand.
#include "core/figure/colour_vision.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headlight::colour_vision_test { namespace {

double distance(Rgb one, Rgb other) {
    return std::hypot(one.red - other.red, one.green - other.green, one.blue - other.blue);
}

TEST(ColourVision, LeavesGreysAlone) {
    for (const Word<ColourVision>& each : words<ColourVision>())
        for (int grey = 0; grey < 256; grey += 15) {
            const auto level = static_cast<std::uint8_t>(grey);
            EXPECT_LE(distance(seen_with(each.value, {level, level, level}), {level, level, level}), 1.8)
                << each.word << ' ' << grey;
        }
}

TEST(ColourVision, OfPureRedIsTheFirstColumnOfTheMatrix) {
    // sRGB of 0.152286, 0.114503 and 0 of light, by the formula of IEC 61966-2-1.
    EXPECT_EQ(seen_with(ColourVision::protanopia, {255, 0, 0}), (Rgb{109, 95, 0}));
    EXPECT_EQ(seen_with(ColourVision::deuteranopia, {255, 0, 0}), (Rgb{163, 144, 0}));
    EXPECT_EQ(seen_with(ColourVision::tritanopia, {255, 0, 0}), (Rgb{255, 0, 15}));
    EXPECT_EQ(seen_with(ColourVision::grey, {255, 0, 0}), (Rgb{127, 127, 127}));
    EXPECT_EQ(seen_with(ColourVision::usual, {255, 0, 0}), (Rgb{255, 0, 0}));
}

TEST(ColourVision, WithoutMiddleWavesRedAndGreenOfOneLightnessAreAlike) {
    const Rgb red{200, 80, 60}, green{112, 122, 60};
    EXPECT_LT(
        distance(seen_with(ColourVision::deuteranopia, red), seen_with(ColourVision::deuteranopia, green)),
        0.35 * distance(red, green));
}

TEST(ColourVision, TheMapsThatAreOfferedKeepTheirOrderInGrey) {
    for (const ColourMap& map : colour_maps()) {
        if (map.diverging)
            continue;
        const double direction = luminance(map.table[255]) - luminance(map.table[0]);
        for (std::size_t entry = 16; entry < 256; entry += 16)
            EXPECT_GT((luminance(seen_with(ColourVision::grey, map.table[entry])) -
                       luminance(seen_with(ColourVision::grey, map.table[entry - 16]))) *
                          direction,
                      0)
                << map.name << ' ' << entry;
    }
}

TEST(Contrast, IsThatOfWcag) {
    EXPECT_NEAR(contrast({0, 0, 0}, {255, 255, 255}), 21, 1e-9);
    EXPECT_NEAR(contrast({118, 118, 118}, {255, 255, 255}), 4.54, 0.005);  // the grey that WCAG pages name
    EXPECT_NEAR(contrast({7, 8, 9}, {7, 8, 9}), 1, 1e-12);
}

}}  // namespace headlight::colour_vision_test
