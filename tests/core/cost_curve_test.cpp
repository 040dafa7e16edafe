// The exponent of exact powers, and when measuring stops, by a clock that the test winds.

#include "core/analysis/cost_curve.h"

#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

namespace headlight::cost_curve_test {

namespace {

std::vector<CostPoint> points_of(double exponent, double factor, double constant, int count) {
    std::vector<CostPoint> points;
    for (int i = 0; i < count; ++i) {
        const Index tokens = Index(16) << i;
        const double n = static_cast<double>(tokens);
        points.push_back({tokens, constant + factor * std::pow(n, exponent), n, 4 * n * n, n * n});
    }
    return points;
}

/// A run of n tokens takes seconds(n).
class Imagined : public CostSubject {
public:
    struct Costs {
        double (*seconds)(double n) = [](double) { return 0.001; };
        double (*map_bytes)(double n) = [](double) { return 0.0; };
        Index longest = 1 << 20;  ///< refused beyond
    };
    Imagined(Costs costs, double& now) : costs_(costs), now_(now) {}

    CostPoint count(Index tokens) override {
        if (tokens > costs_.longest)
            throw Error({"run", "mask", "at most " + std::to_string(costs_.longest) + " tokens",
                         std::to_string(tokens)});
        n_ = static_cast<double>(tokens);
        return {tokens, 0, 0, costs_.map_bytes(n_), n_};
    }
    double make_ready() override { return 8 * n_; }
    void run() override { now_ += costs_.seconds(n_); }

private:
    Costs costs_;
    double& now_;
    double n_ = 0;
};

struct Measured {
    std::vector<CostPoint> points;
    CostCurve::End end;
    std::string refusal;
};

Measured measure(Imagined::Costs costs, CostLimits limits) {
    double now = 100;
    CostCurve curve(std::make_unique<Imagined>(costs, now), limits, [&] { return now; });
    while (!curve.is_finished())
        curve.measure_next();
    curve.measure_next();  // does nothing any more
    return {curve.points(), curve.end(), curve.refusal()};
}

}  // namespace

TEST(CostCurve, FindsTheExponentOfExactPowers) {
    for (const double exponent : {0.5, 1.0, 1.5, 2.0, 3.0}) {
        const auto law = fit_power_law(points_of(exponent, 1e-6, 0, 8), &CostPoint::seconds);
        ASSERT_TRUE(law);
        EXPECT_NEAR(law->exponent, exponent, 1e-12);
        EXPECT_NEAR(law->factor, 1e-6, 1e-16);
    }
}

TEST(CostCurve, LooksAtTheUpperHalfWhereWhatDoesNotGrowIsDrowned) {
    const auto law = fit_power_law(points_of(2, 1e-6, 1e-4, 10), &CostPoint::seconds);
    ASSERT_TRUE(law);
    EXPECT_NEAR(law->exponent, 2, 0.01);
}

TEST(CostCurve, FitsWhateverQuantityIsAskedFor) {
    const auto points = points_of(1, 1, 0, 4);
    EXPECT_NEAR(fit_power_law(points, &CostPoint::map_bytes)->exponent, 2, 1e-12);
    EXPECT_NEAR(fit_power_law(points, &CostPoint::map_bytes)->factor, 4, 1e-9);
}

TEST(CostCurve, HasNoExponentOfFewerThanTwoPoints) {
    EXPECT_FALSE(fit_power_law({}, &CostPoint::seconds));
    EXPECT_FALSE(fit_power_law(points_of(1, 1, 0, 1), &CostPoint::seconds));
    EXPECT_FALSE(fit_power_law(points_of(1, 0, 0, 5), &CostPoint::seconds));
}

TEST(CostCurve, MeasuresUpToTheLastLength) {
    const auto [points, end, refusal] = measure({}, {.least = 16, .most = 128});
    ASSERT_EQ(points.size(), 4u);
    EXPECT_EQ(points.front().tokens, 16);
    EXPECT_EQ(points.back().tokens, 128);
    EXPECT_NEAR(points.back().seconds, 0.001, 1e-9);
    EXPECT_EQ(points.back().bytes, 8 * 128);
    EXPECT_EQ(end, CostCurve::End::reached);
}

TEST(CostCurve, StopsAfterAPointThatTakesTooLong) {
    const auto [points, end, refusal] =
        measure({.seconds = [](double n) { return n < 64 ? 0.1 : 2.5; }}, {.least = 16, .most = 4096});
    EXPECT_EQ(points.back().tokens, 64);
    EXPECT_EQ(end, CostCurve::End::slow);
}

TEST(CostCurve, DoesNotBeginAPointThatWouldTakeFarTooLong) {
    // 1.6 s at 256, so 6.4 s at 512: it is not tried.
    const auto [points, end, refusal] =
        measure({.seconds = [](double n) { return 1.6 * n * n / (256 * 256); }}, {.least = 16, .most = 4096});
    EXPECT_EQ(points.back().tokens, 256);
    EXPECT_EQ(end, CostCurve::End::slow);
}

TEST(CostCurve, StopsBeforeWeightsThatAreTooLarge) {
    const auto [points, end, refusal] =
        measure({.map_bytes = [](double n) { return 8 * 4 * n * n; }}, {.least = 1024, .most = 16384});
    EXPECT_EQ(points.back().tokens, 4096);  // 8 heads: 512 MB; twice as many tokens: 2 GB
    EXPECT_EQ(end, CostCurve::End::large);
}

TEST(CostCurve, SaysWhyItCannotRun) {
    const auto [points, end, refusal] = measure({.longest = 40}, {});
    EXPECT_EQ(points.size(), 2u);
    EXPECT_EQ(end, CostCurve::End::refused);
    EXPECT_NE(refusal.find("at most 40 tokens"), std::string::npos);
}

TEST(CostCurve, MeasuresAMechanism) {
    double now = 0;
    CostCurve curve(cost_subject(AttentionSpec(), 8, 1), {.least = 16, .most = 32},
                    [&] { return now += 1e-3; });
    while (!curve.is_finished())
        curve.measure_next();
    ASSERT_EQ(curve.points().size(), 2u);
    EXPECT_EQ(curve.points()[1].map_bytes, 4.0 * 32 * 32);
    EXPECT_EQ(curve.points()[1].multiply_adds, 2.0 * 8 * 32 * 32);
    EXPECT_GT(curve.points()[1].seconds, 0);
}

TEST(CostCurve, CountsWhatAnAlgorithmAddsToItsParts) {
    AttentionSpec corrected;
    corrected.algorithm.type = AlgorithmType::parallax;
    const CostPoint parts = cost_subject(AttentionSpec(), 8, 1)->count(32);
    const CostPoint all = cost_subject(corrected, 8, 1)->count(32);
    EXPECT_EQ(all.multiply_adds - parts.multiply_adds, 32.0 * 8 * 8 + 32.0 * 32 * 8);
    EXPECT_EQ(all.map_bytes, parts.map_bytes);
}

/// Runs of 8192 tokens, each of which takes hundreds of milliseconds, stopped after the first moments.
TEST(CostCurve, IsInterruptedWithinARun) {
    for (const AlgorithmType algorithm :
         {AlgorithmType::composed, AlgorithmType::online_softmax, AlgorithmType::mesa}) {
        AttentionSpec spec;
        spec.algorithm.type = algorithm;
        CostCurve curve(cost_subject(spec, 64, 1), {.least = 8192, .most = 8192, .largest = 1e12},
                        seconds_of_work);
        std::atomic<bool> wanted = false;
        const Interruption interruption(wanted);
        std::jthread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            wanted = true;
        });
        EXPECT_THROW(curve.measure_next(), Interrupted) << int(algorithm);
        EXPECT_TRUE(curve.points().empty());
        EXPECT_FALSE(curve.is_finished());
    }
}

TEST(Interruption, EndsWithItsScope) {
    const std::atomic<bool> wanted = true;
    {
        const Interruption interruption(wanted);
        EXPECT_THROW(Interruption::check(), Interrupted);
    }
    EXPECT_NO_THROW(Interruption::check());
}

}  // namespace headlight::cost_curve_test
