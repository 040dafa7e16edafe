// The examples of heads, executions and memories show what their entries promise.

#include "tests/support/example.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace headlight;
using namespace headlight::test;

namespace {

Trace traced(const Example& example) { return record(std::make_shared<const Plan>(example.plan())); }

double sum_of(std::span<const double> row) { return std::accumulate(row.begin(), row.end(), 0.0); }

TEST(HeadExamples, QueryHeadsShareOneOrTwoHeadsOfKeys) {
    EXPECT_EQ(traced(Example("multi_query")).find("key")->shape.front(), 1);
    EXPECT_EQ(traced(Example("grouped_query")).find("key")->shape.front(), 2);
    EXPECT_EQ(traced(Example("grouped_query")).find("weights")->shape.front(), 8);
}

TEST(HeadExamples, LatentKeysVanishWhenAbsorbed) {
    const Trace plain = traced(Example("latent")), absorbed = traced(Example("latent", {{"absorbed", true}}));
    EXPECT_NE(plain.find("value"), nullptr);
    EXPECT_EQ(absorbed.find("value"), nullptr);
    EXPECT_TRUE(near(stage(plain, "weights"), stage(absorbed, "weights"), 1e-9));
}

TEST(HeadExamples, MixedRowsDoNotSumToOne) {
    EXPECT_GT(std::abs(sum_of(Example("talking_heads").row(0)) - 1), 0.01);
    const Example differential("differential");
    EXPECT_LT(sum_of(differential.row(0)), 1);
    const auto row = differential.row(3);
    EXPECT_LT(*std::ranges::min_element(row), 0);
}

TEST(HeadExamples, ACacheOfThreeIsABand) {
    const Example example("kv_cache", {{"capacity", Index(3)}});
    EXPECT_EQ(example.weight("king", "once"), 0);
    EXPECT_GT(example.weight("king", "wise"), 0);
}

TEST(HeadExamples, AHopfieldNetworkFallsIntoGroups) {
    const Example example("hopfield", {{"steps", Index(20)}});
    const Trace trace = traced(example);
    const auto weights = stage(trace, "weights");
    const auto row = [&](std::size_t i) { return std::span(weights).subspan(7 * i, 7); };
    EXPECT_TRUE(near(row(4), row(5), 1e-3));
    EXPECT_FALSE(near(row(0), row(5), 1e-2));
}

TEST(HeadExamples, AHeadByLocationDoesNotLookAtTheCells) {
    const Example example("ntm", {{"addressing", std::string("location")}});
    EXPECT_NEAR(sum_of(example.row(0)), 1, 1e-9);
    EXPECT_GT(example.row(0)[0] + example.row(0)[1] + example.row(0)[7], 0.999);
}

}  // namespace
