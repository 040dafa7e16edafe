#include "core/kernels/power_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace headlight::power_sum_test { namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// More than are summed at once.
std::vector<double> many_numbers() {
    std::vector<double> numbers;
    for (int i = 0; i < 1000; ++i)
        numbers.push_back(5 * std::sin(0.7 * i));
    return numbers;
}

TEST(PowerSum, SharesAddUpToOne) {
    const std::vector<double> numbers = many_numbers();
    const auto powers = kernels::sum_of_powers(std::span<const double>(numbers));
    EXPECT_EQ(powers.largest, std::ranges::max(numbers));
    double sum = 0;
    for (const double number : numbers)
        sum += powers.share(number);
    EXPECT_NEAR(sum, 1, 1e-14);
}

TEST(PowerSum, HasTheTemperature) {
    const std::vector<float> numbers{1, 3, 2};
    const auto powers = kernels::sum_of_powers(std::span<const float>(numbers), 0.5);
    const double sum = std::exp(2) + std::exp(6) + std::exp(4);
    EXPECT_NEAR(powers.share(2), std::exp(4) / sum, 1e-15);
    EXPECT_NEAR(powers.log_share(2), 4 - std::log(sum), 1e-14);
    EXPECT_NEAR(powers.logarithm(), std::log(sum), 1e-14);
}

TEST(PowerSum, CountsNumbersFromTheLargest) {
    const std::vector<double> apart{-2000, 700, -infinity, 700};
    const auto powers = kernels::sum_of_powers(std::span<const double>(apart));
    EXPECT_EQ(powers.sum, 2) << "whose powers alone have no number";
    EXPECT_EQ(powers.share(700), 0.5);
    EXPECT_EQ(powers.share(-infinity), 0);
    EXPECT_NEAR(powers.log_share(-2000), -2700 - std::log(2), 1e-12);
}

TEST(PowerSum, IsZeroWhereNothingCounts) {
    for (const std::vector<double>& nothing : {std::vector<double>{}, {-infinity, -infinity}}) {
        const auto powers = kernels::sum_of_powers(std::span<const double>(nothing));
        EXPECT_EQ(powers.largest, -infinity);
        EXPECT_EQ(powers.sum, 0);
    }
}

}}  // namespace headlight::power_sum_test
