#include "core/kernels/arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace headlight::nn_arithmetic_test { namespace {

using kernels::Arithmetic;
using kernels::Level;

constexpr double tolerance = 1e-13;
/// Shorter than a vector, whole vectors, and what is left over.
constexpr Index lengths[] = {1, 3, 7, 8, 16, 17, 33, 64, 100};

std::vector<double> numbers(Index count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-2, 2);
    std::vector<double> made(static_cast<std::size_t>(count));
    for (double& number : made)
        number = uniform(random);
    return made;
}

/// The loops of every level that this processor runs against the same in plain words. What derivatives are
/// worth is the business of nn_gradients_test; here a step behind the end of a row would be seen.
class ArithmeticOfLevels : public testing::TestWithParam<Level> {
protected:
    const Arithmetic<double>& by = kernels::arithmetic<double>(GetParam());

    /// run(count, a, b, to) and plain(a, b, to) must leave the same in `to`, and nothing behind its end.
    template <class Run, class Plain>
    void expect_alike(const Run& run, const Plain& plain) const {
        for (const Index count : lengths) {
            const auto a = numbers(count, 1), b = numbers(count, 2);
            auto to = numbers(count + 1, 3);
            const auto before = to;
            run(count, a.data(), b.data(), to.data());
            for (std::size_t i = 0; i < a.size(); ++i)
                EXPECT_NEAR(to[i], plain(a[i], b[i], before[i]), tolerance) << i << " of " << count;
            EXPECT_EQ(to.back(), before.back()) << count;
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Levels, ArithmeticOfLevels, testing::ValuesIn(kernels::available_levels()),
                         [](const auto& level) { return std::string(to_string(level.param)); });

TEST_P(ArithmeticOfLevels, RaisesAnyNumber) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double lowest = std::log(std::numeric_limits<double>::min()),
                 highest = std::log(std::numeric_limits<double>::max());
    std::vector<double> xs{0, 1, -1, 0.34657, 0.34658, lowest + 0.001, highest - 0.001, highest};
    for (int i = 1; i <= 4000; ++i)
        xs.push_back(lowest + (highest - lowest) * i / 4001);
    std::vector<double> powers(xs.size());
    by.exponential(xs.data(), std::ssize(xs), powers.data());
    for (std::size_t i = 0; i < xs.size(); ++i)
        EXPECT_NEAR(powers[i] / std::exp(xs[i]), 1, 4 * std::numeric_limits<double>::epsilon())
            << "exp " << xs[i];

    const std::vector<double> bounds{-infinity, -1000, highest + 0.001, 1000, infinity};
    std::vector<double> of_bounds(bounds.size());
    by.exponential(bounds.data(), std::ssize(bounds), of_bounds.data());
    EXPECT_EQ(of_bounds, (std::vector<double>{0, 0, infinity, infinity, infinity}));
    const double missing = std::numeric_limits<double>::quiet_NaN();
    by.exponential(&missing, 1, of_bounds.data());
    EXPECT_TRUE(std::isnan(of_bounds.front()));
}

TEST_P(ArithmeticOfLevels, SumsUp) {
    for (const Index count : lengths) {
        const auto a = numbers(count, 1);
        EXPECT_NEAR(by.sum(a.data(), count), std::accumulate(a.begin(), a.end(), 0.0), tolerance * 10)
            << count;
    }
}

TEST_P(ArithmeticOfLevels, Adds) {
    expect_alike([&](Index count, const double* a, const double*, double* to) { by.add(a, count, to); },
                 [](double a, double, double to) { return to + a; });
    expect_alike(
        [&](Index count, const double* a, const double*, double* to) { by.add_scaled(3, a, count, to); },
        [](double a, double, double to) { return to + 3 * a; });
    expect_alike(
        [&](Index count, const double* a, const double* b, double* to) { by.add_products(a, b, count, to); },
        [](double a, double b, double to) { return to + a * b; });
    expect_alike(
        [&](Index count, const double* a, const double*, double* to) {
            std::vector<double> rows(a, a + count);
            rows.insert(rows.end(), a, a + count);
            by.add_column_sums(rows.data(), 2, count, to);
        },
        [](double a, double, double to) { return to + 2 * a; });
}

TEST_P(ArithmeticOfLevels, AddsProductsUp) {
    for (const Index count : lengths) {
        const auto a = numbers(count, 1), b = numbers(count, 2);
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            sum += a[i] * b[i];
        EXPECT_NEAR(by.inner_product(a.data(), b.data(), count), sum, tolerance) << count;
    }
}

TEST_P(ArithmeticOfLevels, KnowsTheSlopeOfEveryActivation) {
    const std::pair<Activation, double (*)(double)> slopes[] = {
        {Activation::tanh, [](double y) { return 1 - y * y; }},
        {Activation::sigmoid, [](double y) { return y * (1 - y); }},
        {Activation::relu, [](double y) { return y > 0 ? 1.0 : 0.0; }},
        {Activation::identity, [](double) { return 1.0; }},
    };
    for (const auto& [activation, slope] : slopes)
        expect_alike([&, which = activation](Index count, const double* a, const double*,
                                             double* to) { by.multiply_by_slopes(which, a, count, to); },
                     [of = slope](double a, double, double to) { return to * of(a); });
}

TEST_P(ArithmeticOfLevels, StepsAsAdamDoes) {
    const kernels::AdamFactors<double> factors{.shorten = 0.5,
                                               .first_rest = 0.1,
                                               .second_rest = 0.001,
                                               .first_scale = 0.02,
                                               .second_scale = 10,
                                               .epsilon = 1e-8,
                                               .kept = 0.99};
    for (const Index count : lengths) {
        const auto gradient = numbers(count, 1), moment = numbers(count, 2), weight = numbers(count, 3);
        auto first = moment, weights = weight;
        std::vector<double> second(moment.size());
        for (std::size_t i = 0; i < moment.size(); ++i)
            second[i] = std::abs(moment[i]);
        const auto squares = second;
        by.adam(factors, gradient.data(), count, first.data(), second.data(), weights.data());
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            const double g = 0.5 * gradient[i], m = 0.9 * moment[i] + 0.1 * g,
                         v = 0.999 * squares[i] + 0.001 * g * g;
            EXPECT_NEAR(first[i], m, tolerance);
            EXPECT_NEAR(second[i], v, tolerance);
            EXPECT_NEAR(weights[i], 0.99 * weight[i] - 0.02 * m / (std::sqrt(10 * v) + 1e-8), tolerance);
        }
    }
}

}}  // namespace headlight::nn_arithmetic_test
