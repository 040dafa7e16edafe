// What a rectangle of cells adds up to, held to sums by the definition.

#include "core/figure/block_sums.h"
#include "core/figure/build_figure.h"
#include "tests/support/generated_maps.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace headlight::block_sums_test {

using namespace test;

namespace {

TEST(BlockSums, AreThoseOfItsCellsWithoutForbiddenOnes) {
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.selection.head = 2;
    const Trace trace = samples::sentence();
    const Panel panel = build_figure(trace, settings).panels.front();
    const auto map = trace.matrix(*trace.find("weights"), 2);
    for (const MapBlock& block : {MapBlock{0, 8, 0, 8}, MapBlock{2, 3, 1, 4}, MapBlock{7, 1, 7, 1}}) {
        const BlockSums sums = block_sums(panel, block);
        double sum = 0, largest = -1;
        Index forbidden = 0;
        for (Index row = block.first_row; row < block.first_row + block.rows; ++row)
            for (Index column = block.first_column; column < block.first_column + block.columns; ++column) {
                const double number = map[static_cast<std::size_t>(8 * row + column)];
                sum += number;
                forbidden += column > row;
                largest = std::max(largest, number);
            }
        EXPECT_NEAR(sums.sum, sum, 1e-14);
        EXPECT_EQ(sums.left_out, forbidden);
        ASSERT_TRUE(sums.largest);
        EXPECT_EQ(sums.largest->value, largest);
        EXPECT_EQ(map[static_cast<std::size_t>(8 * sums.largest->row + sums.largest->column)], largest);
    }
}

TEST(BlockSums, OfNoNumberHaveNoLargest) {
    Panel panel;
    panel.rows = panel.columns = 2;
    panel.values = {std::nan(""), 1, -INFINITY, INFINITY};
    const BlockSums sums = block_sums(panel, {0, 2, 0, 1});
    EXPECT_FALSE(sums.largest);
    EXPECT_EQ(sums.sum, 0);
    EXPECT_EQ(sums.left_out, 2);
    EXPECT_EQ(block_sums(panel, {0, 2, 0, 2}).sum, 1);
}

TEST(BlockSums, OfALargeMapAreReadFromItsSource) {
    constexpr Index tokens = 3'000;
    const auto maps = std::make_shared<GeneratedMaps>(
        MapSource::Extents{1, 2, tokens, tokens},
        [](MapPlace place, Index query, Index key) { return scattered(place, query, key); });
    Panel panel;
    panel.rows = 2'900;
    panel.columns = 2'500;
    panel.large = LargeMap{std::make_shared<const MapTiles>(maps), {0, 1}, 100, 7, false};
    const MapBlock block{30, 2'000, 400, 1'500};
    double sum = 0, largest = 0;
    for (Index row = 0; row < block.rows; ++row)
        for (Index column = 0; column < block.columns; ++column) {
            const double number = scattered({0, 1}, 130 + row, 407 + column);
            sum += number;
            largest = std::max(largest, number);
        }
    const BlockSums sums = block_sums(panel, block);
    EXPECT_NEAR(sums.sum, sum, 1e-6);
    ASSERT_TRUE(sums.largest);
    EXPECT_EQ(sums.largest->value, largest);
    EXPECT_EQ(scattered({0, 1}, 100 + sums.largest->row, 7 + sums.largest->column), largest);
    const std::vector<double> numbers = block_numbers(panel, {5, 2, 6, 3});
    EXPECT_EQ(numbers[4], scattered({0, 1}, 106, 14));
}

}  // namespace

}  // namespace headlight::block_sums_test
