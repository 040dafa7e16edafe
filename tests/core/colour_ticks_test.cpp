#include "core/figure/ticks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace headlight::colour_ticks_test { namespace {

std::string labels(const ColourScale& scale, int limit) {
    std::string text;
    for (const Tick& tick : nice_ticks(scale, limit))
        text += (text.empty() ? "" : " ") + tick.label;
    return text;
}

ColourScale linear(double low, double high) { return {"viridis", ScaleKind::linear, low, high}; }
ColourScale logarithmic(double low, double high) { return {"viridis", ScaleKind::logarithmic, low, high}; }

constexpr double largest = std::numeric_limits<double>::max();

struct Row {
    ColourScale scale;
    int limit;
    std::string expected;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.scale.low << " to " << row.scale.high; }

class Ticks : public testing::TestWithParam<Row> {};

TEST_P(Ticks, StandAtRoundNumbers) {
    EXPECT_EQ(labels(GetParam().scale, GetParam().limit), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    ColourBar, Ticks,
    testing::Values(
        Row{linear(0, 1), 6, "0.0 0.2 0.4 0.6 0.8 1.0"}, Row{linear(0, 1), 3, "0.0 0.5 1.0"},
        Row{linear(0.003, 0.473), 6, "0.1 0.2 0.3 0.4"}, Row{linear(-1.6, 1.6), 3, "−1 0 1"},
        Row{linear(-5.48, 5.48), 5, "−4 −2 0 2 4"}, Row{linear(0, 0.0321), 4, "0.00 0.01 0.02 0.03"},
        Row{linear(0, 12345), 4, "0 5000 10000"}, Row{linear(2, 2), 6, "2.00"},
        Row{linear(0, 2e6), 3, "0 1·10⁶ 2·10⁶"}, Row{linear(0, 1.2e7), 4, "0 5·10⁶ 1.0·10⁷"},
        Row{linear(1e6, 1e6 + 1), 3, "1000000.0 1000000.5 1000001.0"},
        Row{linear(-1.7e308, 1.7e308), 4, "−1·10³⁰⁸ 0 1·10³⁰⁸"},
        Row{linear(-largest, largest), 2, "−1.80·10³⁰⁸ 1.80·10³⁰⁸"},
        Row{linear(0, 5e-324), 4, "0.0000 5·10⁻³²⁴"}, Row{linear(-4.9, 4.9), 3, "−4.90 4.90"},
        Row{linear(0, 0.9), 2, "0.0 0.5"}, Row{logarithmic(1e-4, 1), 6, "≤\u200910⁻⁴ 10⁻³ 10⁻² 10⁻¹ 10⁰"},
        Row{logarithmic(0.01, 1), 6, "≤\u20090.01 0.1 1"},
        Row{logarithmic(3e-5, 0.5), 6, "10⁻⁴ 10⁻³ 10⁻² 10⁻¹"},
        Row{logarithmic(0.2, 0.9), 4, "0.2 0.4 0.6 0.8"}, Row{logarithmic(1e-12, 1), 4, "10⁻¹⁰ 10⁻⁵ 10⁰"}));

TEST(ColourBar, SaysWhereItEnds) {
    const std::tuple<ColourScale, int, std::string> rows[] = {
        {linear(0, 1), 6, "0.0 0.2 0.4 0.6 0.8 1.0"},
        {linear(0.003, 0.473), 6, "0.003 0.1 0.2 0.3 0.4 0.473"},
        {linear(0.003, 0.473), 2, "0.003 0.473"},
        {linear(8e-6, 0.358), 6, "8·10⁻⁶ 0.1 0.2 0.3 0.358"},
        {linear(8e-6, 0.358), 2, "8·10⁻⁶ 0.358"},
        {linear(0, 0.0321), 4, "0.00 0.01 0.02 0.0321"},
        {linear(-5.48, 5.48), 5, "−5.48 −2 0 2 5.48"},
        {linear(-1.6, 1.6), 3, "−1.60 0 1.60"},
        {linear(-0.506, 0.506), 6, "−0.506 −0.2 0.0 0.2 0.506"},
        {logarithmic(3e-5, 0.5), 6, "≤\u20093·10⁻⁵ 10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 0.500"},
        {logarithmic(0.012, 0.67), 6, "≤\u20090.012 0.1 0.2 0.3 0.670"}};  // 0.4 is too near to 0.3
    for (const auto& [scale, limit, expected] : rows) {
        std::string written;
        for (const Tick& tick : bar_ticks(scale, limit))
            (written += written.empty() ? "" : " ") += tick.label;
        EXPECT_EQ(written, expected);
    }
}

ColourScale diverging(double low, double high) { return {"diverging", ScaleKind::linear, low, high}; }

TEST(ColourBar, HasTheZeroWhereColoursPart) {
    ColourScale clipped = diverging(-5.48, 5.48);
    clipped.clips_low = clipped.clips_high = true;
    const std::tuple<ColourScale, int, std::string> rows[] = {
        {diverging(-4.9, 4.9), 3, "−4.90 0 4.90"},
        {diverging(-4.9, 4.9), 2, "−4.90 4.90"},
        {linear(-4.9, 4.9), 3, "−4.90 4.90"},
        {diverging(0, 4.9), 3, "0 2 4.90"},
        {clipped, 3, "≤\u2009−5.48 0 ≥\u20095.48"}};
    for (const auto& [scale, limit, expected] : rows) {
        std::string written;
        for (const Tick& tick : bar_ticks(scale, limit))
            (written += written.empty() ? "" : " ") += tick.label;
        EXPECT_EQ(written, expected);
    }
}

TEST(ColourBar, GivesDigitsOfItsEndsForItsZero) {
    const std::tuple<ColourScale, int, std::string> rows[] = {
        {diverging(-0.378, 0.378), 0, "−0.378 0 0.378"},
        {diverging(-0.378, 0.378), 1, "−0.38 0 0.38"},
        {diverging(-0.378, 0.378), 2, ""},  // 0.4 would be too far off
        {diverging(-0.398, 0.398), 2, "−0.4 0 0.4"},
        {diverging(-0.527, 0.527), 1, "−0.53 0 0.53"},
        {diverging(-0.527, 0.527), 2, ""},
        {diverging(-0.506, 0.506), 2, "−0.5 0 0.5"},
        {diverging(-123, 123), 0, "−123 0 123"},
        {diverging(-2e6, 2e6), 2, "−2·10⁶ 0 2·10⁶"},
        {diverging(-0.01, 0.9), 2, ""},
        {diverging(0, 0.378), 1, ""},
        {linear(-0.378, 0.378), 1, ""}};
    for (const auto& [scale, dropped, expected] : rows) {
        std::string written;
        for (const Tick& tick : brief_bar_ticks(scale, dropped))
            (written += written.empty() ? "" : " ") += tick.label;
        EXPECT_EQ(written, expected) << dropped;
    }
}

TEST(ColourBar, HasAtLeastTwoTicksAndNoMoreThanAskedFor) {
    for (int power = 0; power < 79; ++power) {
        const double high = 1e-9 * std::pow(1.7, power);
        for (const int limit : {2, 3, 4, 6, 9}) {
            EXPECT_LE(nice_ticks(linear(0, high), limit).size(), static_cast<std::size_t>(limit)) << high;
            EXPECT_GE(nice_ticks(linear(0, high), limit).size(), 2u) << high;
            EXPECT_LE(nice_ticks(linear(-high, high), limit).size(), static_cast<std::size_t>(limit)) << high;
            EXPECT_GE(nice_ticks(linear(-high, high), limit).size(), 2u) << high;
            EXPECT_LE(bar_ticks(linear(-high, high), limit).size(), static_cast<std::size_t>(limit)) << high;
            EXPECT_GE(bar_ticks(linear(-high, high), limit).size(), 2u) << high;
        }
    }
}

struct Number {
    double value;
    int decimals;
    std::string expected;
};

class FixedNumber : public testing::TestWithParam<Number> {};

TEST_P(FixedNumber, IsWrittenAsInPrint) {
    EXPECT_EQ(format_fixed(GetParam().value, GetParam().decimals), GetParam().expected);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

INSTANTIATE_TEST_SUITE_P(Numbers, FixedNumber,
                         testing::Values(Number{0.3385, 2, "0.34"}, Number{0.3385, 4, "0.3385"},
                                         Number{-1.5, 1, "−1.5"}, Number{-0.001, 2, "0.00"},
                                         Number{0, 0, "0"}, Number{-infinity, 2, "−∞"},
                                         Number{infinity, 2, "∞"}, Number{std::nan(""), 2, "NaN"}));

TEST(Numbers, PowersHaveRaisedDigits) {
    EXPECT_EQ(power_text("n", 2.001), "n²");
    EXPECT_EQ(power_text("n", 1), "n");
    EXPECT_EQ(power_text("n", 0), "n⁰");
    EXPECT_EQ(power_text("n", 1.98), "n¹·⁹⁸");
    EXPECT_EQ(power_text("n", 1.05), "n¹·⁰⁵");
    EXPECT_EQ(power_text("n", -0.5), "n⁻⁰·⁵⁰");
}

TEST(Numbers, UsefulDecimalsShowThreeDigitsOfTheLargest) {
    EXPECT_EQ(useful_decimals(0.5), 3);
    EXPECT_EQ(useful_decimals(5.4), 2);
    EXPECT_EQ(useful_decimals(54), 1);
    EXPECT_EQ(useful_decimals(5400), 0);
    EXPECT_EQ(useful_decimals(1e-9), 4);
    EXPECT_EQ(useful_decimals(0), 2);
}

}}  // namespace headlight::colour_ticks_test
