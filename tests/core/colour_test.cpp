#include "core/figure/colour.h"
#include "core/tensor/error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace headlight::colour_test { namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

struct Ends {
    std::string map;
    Rgb first, middle, last;
};
void PrintTo(const Ends& row, std::ostream* out) { *out << row.map; }

class MapEnds : public testing::TestWithParam<Ends> {};

// Published tables: matplotlib's viridis and magma (van der Walt and Smith), cividis (Nunez et al. 2018).
TEST_P(MapEnds, AreThePublishedOnes) {
    const auto table = colour_map(GetParam().map).table;
    EXPECT_EQ(table[0], GetParam().first);
    EXPECT_EQ(table[128], GetParam().middle);
    EXPECT_EQ(table[255], GetParam().last);
}

INSTANTIATE_TEST_SUITE_P(Colour, MapEnds,
                         testing::Values(Ends{"viridis", {68, 1, 84}, {33, 145, 140}, {253, 231, 37}},
                                         Ends{"cividis", {0, 34, 78}, {125, 124, 120}, {254, 232, 56}},
                                         Ends{"magma", {0, 0, 4}, {183, 55, 121}, {252, 253, 191}},
                                         Ends{"greys", {255, 255, 255}, {118, 118, 118}, {0, 0, 0}}),
                         [](const auto& row) { return row.param.map; });

TEST(Colour, SequentialMapsRunOneWayInLuminance) {
    for (const ColourMap& map : colour_maps()) {
        if (map.diverging)
            continue;
        const bool rises = luminance(map.table[255]) > luminance(map.table[0]);
        for (std::size_t i = 1; i < 256; ++i) {
            const double before = luminance(map.table[i - 1]), here = luminance(map.table[i]);
            EXPECT_GE(rises ? here - before : before - here, -1e-3) << map.name << " " << i;
        }
    }
}

TEST(Colour, DivergingMapIsWhiteInTheMiddleAndEquallyDarkAtBothEnds) {
    const auto table = colour_map("diverging").table;
    EXPECT_GT(luminance(table[127]), 0.93);
    EXPECT_GT(luminance(table[128]), 0.93);
    for (std::size_t i = 1; i < 128; ++i) {
        EXPECT_GE(luminance(table[i]), luminance(table[i - 1])) << i;
        EXPECT_LE(luminance(table[128 + i]), luminance(table[127 + i])) << i;
    }
    EXPECT_NEAR(luminance(table[0]), luminance(table[255]), 0.02);
    EXPECT_GT(table[0].blue, table[0].red);
    EXPECT_GT(table[255].red, table[255].blue);
}

TEST(Colour, OnADarkGroundADivergingMapIsDarkInTheMiddleAndEquallyLightAtBothEnds) {
    const auto table = colour_map("diverging").on_dark;
    EXPECT_LT(luminance(table[127]), 0.03);
    EXPECT_LT(luminance(table[128]), 0.03);
    for (std::size_t i = 1; i < 128; ++i) {
        EXPECT_LE(luminance(table[i]), luminance(table[i - 1])) << i;
        EXPECT_GE(luminance(table[128 + i]), luminance(table[127 + i])) << i;
    }
    EXPECT_NEAR(luminance(table[0]), luminance(table[255]), 0.03);
    EXPECT_GT(table[0].blue, table[0].red);
    EXPECT_GT(table[255].red, table[255].blue);
}

TEST(Colour, LuminanceIsThatOfWcag) {
    EXPECT_DOUBLE_EQ(luminance({0, 0, 0}), 0);
    EXPECT_DOUBLE_EQ(luminance({255, 255, 255}), 1);
    EXPECT_NEAR(luminance({255, 0, 0}), 0.2126, 1e-12);
    EXPECT_NEAR(luminance({119, 119, 119}), 0.184475, 1e-6);
}

TEST(Colour, UnknownMapIsRefusedWithTheNames) {
    try {
        colour_map("jet");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.detail().expected, "viridis, cividis, magma, greys, diverging");
        EXPECT_EQ(error.detail().got, "jet");
    }
}

struct Position {
    ColourScale scale;
    double value, expected;
};

class ScalePosition : public testing::TestWithParam<Position> {};

TEST_P(ScalePosition, IsWhereTheValueLies) {
    EXPECT_NEAR(GetParam().scale.position(GetParam().value), GetParam().expected, 1e-12);
}

const ColourScale unit{"viridis", ScaleKind::linear, 0, 1};
const ColourScale decades{"viridis", ScaleKind::logarithmic, 1e-4, 1};
const ColourScale around_zero{"diverging", ScaleKind::linear, -2, 2};
const ColourScale lopsided{"diverging", ScaleKind::linear, -1, 4};

INSTANTIATE_TEST_SUITE_P(
    Colour, ScalePosition,
    testing::Values(Position{unit, 0, 0}, Position{unit, 0.25, 0.25}, Position{unit, 1, 1},
                    Position{unit, 7, 1}, Position{unit, -7, 0}, Position{unit, infinity, 1},
                    Position{unit, -infinity, 0}, Position{unit, nan_value, 0}, Position{decades, 0, 0},
                    Position{decades, 1e-4, 0}, Position{decades, 1e-2, 0.5}, Position{decades, 1, 1},
                    Position{decades, -1, 0}, Position{around_zero, 0, 0.5}, Position{around_zero, -2, 0},
                    Position{around_zero, 1, 0.75}, Position{lopsided, 0, 0.5}, Position{lopsided, 4, 1},
                    Position{lopsided, -1, 0.375}, Position{{"viridis", ScaleKind::linear, 3, 3}, 3, 0},
                    Position{{"viridis", ScaleKind::linear, 3, 3}, 4, 1},
                    Position{{"diverging", ScaleKind::linear, 0, 0}, 0, 0.5}));

TEST(Colour, ARangeLargerThanAnyNumberHasEveryColour) {
    constexpr double largest = std::numeric_limits<double>::max();
    for (const char* map : {"viridis", "diverging"}) {
        const ColourScale scale{map, ScaleKind::linear, -largest, largest};
        const ColourLookup lookup(scale);
        for (const double share : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
            EXPECT_DOUBLE_EQ(scale.position(share * largest), 0.5 + 0.5 * share) << map;
            EXPECT_DOUBLE_EQ(scale.along_bar(share * largest), 0.5 + 0.5 * share) << map;
            EXPECT_EQ(lookup.entry(share * largest),
                      std::min(255, static_cast<int>(256 * (0.5 + 0.5 * share))))
                << map;
        }
        EXPECT_DOUBLE_EQ(scale.at_bar(0.25), -0.5 * largest);
    }
}

TEST(Colour, LookupIsTheScaleItWasMadeFrom) {
    for (const ColourScale& scale :
         {unit, decades, around_zero, lopsided, ColourScale{"greys", ScaleKind::linear, 3, 3}}) {
        const ColourLookup lookup(scale);
        for (int step = 0; step <= 2162; ++step) {
            const double value = -3 + 0.0037 * step;
            EXPECT_EQ(lookup.table()[lookup.entry(value)], scale.colour(value)) << scale.map << " " << value;
        }
        for (const double value : {infinity, -infinity, nan_value})
            EXPECT_EQ(lookup.table()[lookup.entry(value)], scale.colour(value)) << scale.map << " " << value;
    }
}

TEST(ColourLookup, WritesTheEntriesOfManyNumbersAsOneByOne) {
    constexpr auto nan_float = std::numeric_limits<float>::quiet_NaN();
    constexpr auto infinite = std::numeric_limits<float>::infinity();
    std::vector<float> values{0, -0.0F, 1, -1, nan_float, infinite, -infinite, 1e-4F, 1e-45F, 3e38F};
    std::mt19937 random(3);
    std::uniform_real_distribution<float> exponent(-9, 1), sign(-1, 3);
    for (int i = 0; i < 5'000; ++i)
        values.push_back(std::copysign(std::pow(10.0F, exponent(random)), sign(random)));
    for (const ColourScale& scale : {ColourScale{"viridis", ScaleKind::linear, 0, 1},
                                     ColourScale{"viridis", ScaleKind::logarithmic, 1e-4, 1},
                                     ColourScale{"greys", ScaleKind::logarithmic, 3e-7, 0.02},
                                     ColourScale{"viridis", ScaleKind::logarithmic, 1e-4, 1e-4},
                                     ColourScale{"diverging", ScaleKind::linear, -2, 2},
                                     ColourScale{"viridis", ScaleKind::linear, 0.5, 0.5}}) {
        const ColourLookup lookup(scale);
        std::vector<std::uint16_t> entries(values.size());
        lookup.write_entries(values, 1'000, entries.data());
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_EQ(entries[i], std::isnan(values[i]) ? 1'000 : lookup.entry(values[i]))
                << scale.map << " " << scale.low << " " << values[i];
    }
}

}}  // namespace headlight::colour_test
