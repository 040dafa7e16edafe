#include "core/figure/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace headlight;

namespace {

constexpr double forbidden = -std::numeric_limits<double>::infinity();
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

TEST(Reduce, KeepsSmallMatrices) {
    const std::vector<double> values{1, 2, 3, 4, 5, 6};
    const auto reduced = reduce_keeping_extremes(values, 2, 3, 2, 3, false);
    EXPECT_EQ(reduced.rows, 2);
    EXPECT_EQ(reduced.columns, 3);
    EXPECT_EQ(reduced.values, values);
}

TEST(Reduce, OneBrightCellNeverVanishes) {
    for (const Index size : {2, 3, 7, 10, 63}) {
        for (const Index at : {0, 1, 62, 63, 64, 4095}) {
            std::vector<double> values(64 * 64, 0.1);
            values[static_cast<std::size_t>(at)] = 1;
            const auto reduced = reduce_keeping_extremes(values, 64, 64, size, size, false);
            EXPECT_EQ(reduced.values.size(), static_cast<std::size_t>(size * size));
            EXPECT_EQ(std::ranges::count(reduced.values, 1.0), 1) << size << " " << at;
            const Index row = at / 64, column = at % 64;
            const Index block = (row * size + size - 1) / 64 * size + (column * size + size - 1) / 64;
            EXPECT_EQ(reduced.values[static_cast<std::size_t>(block)], 1) << size << " " << at;
        }
    }
}

struct Row {
    std::vector<double> block;
    bool is_signed;
    double expected;
};

class ReduceBlock : public testing::TestWithParam<Row> {};

TEST_P(ReduceBlock, KeepsWhatMattersMost) {
    const auto& [block, is_signed, expected] = GetParam();
    const double kept =
        reduce_keeping_extremes(block, 1, static_cast<Index>(block.size()), 1, 1, is_signed).values.front();
    EXPECT_TRUE(kept == expected || (std::isnan(kept) && std::isnan(expected)))
        << kept << ", not " << expected;
}

INSTANTIATE_TEST_SUITE_P(
    Reduce, ReduceBlock,
    testing::Values(Row{{1, 3, 2}, false, 3}, Row{{1, -3, 2}, false, 2}, Row{{1, -3, 2}, true, -3},
                    Row{{forbidden, 0.5}, false, 0.5}, Row{{forbidden, 0.5}, true, 0.5},
                    Row{{0.5, forbidden}, true, 0.5}, Row{{forbidden, forbidden}, true, forbidden},
                    Row{{missing, forbidden}, false, forbidden}, Row{{missing, forbidden}, true, forbidden},
                    Row{{missing, -1}, true, -1}, Row{{missing, -1}, false, -1},
                    Row{{missing, missing}, false, missing}, Row{{missing, missing}, true, missing}));

}  // namespace
