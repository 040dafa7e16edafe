// What the examples of image gates, non-local blocks and maps of features promise to show.

#include "tests/support/example.h"

#include <numeric>

namespace headlight::examples_images_test {

using namespace test;

namespace {

Trace traced(const Example& example) { return record(std::make_shared<const Plan>(example.plan())); }

double gate_of(const Example& example, Index place) {
    return example.row(place)[static_cast<std::size_t>(place)];
}

/// Every place looks at itself alone.
void expect_diagonal(const Example& example) {
    for (Index place = 0; place < example.plan().queries; ++place) {
        const auto row = example.row(place);
        EXPECT_GT(gate_of(example, place), 0);
        EXPECT_LT(gate_of(example, place), 1);
        EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), gate_of(example, place), 1e-12);
    }
}

TEST(ImageExamples, SqueezeExcitationGatesEveryPlaceAlike) {
    const Example example("squeeze_excitation");
    expect_diagonal(example);
    for (Index place = 1; place < 8; ++place)
        EXPECT_NEAR(gate_of(example, place), gate_of(example, 0), 1e-12);
    EXPECT_NEAR(gate_of(example, 0), 0.5, 0.1);
    EXPECT_EQ(traced(example).find("channel_gate")->shape, (Shape{1, 1, example.plan().query_width}));
}

TEST(ImageExamples, GatesOfChannelsStayWhenWordsChangePlaces) {
    const Plan plan = Example("squeeze_excitation").plan();
    const Trace trace = record(std::make_shared<const Plan>(plan));
    Inputs turned = plan.inputs;
    turned.query = rows_of(turned.query, {7, 3, 5, 1, 0, 2, 6, 4});
    const Trace other = record(planned(plan.spec, turned, plan.seed));
    EXPECT_TRUE(near(stage(other, "channel_gate"), stage(trace, "channel_gate"), 1e-12));
}

TEST(ImageExamples, ConvolutionGatesAWordByItsNeighbours) {
    const Example example("cbam");
    expect_diagonal(example);
    ASSERT_EQ(example.words()[0], "red");
    ASSERT_EQ(example.words()[6], "red");
    for (Index place = 1; place < 8; ++place)
        EXPECT_GT(std::abs(gate_of(example, place) - gate_of(example, 0)), 1e-6) << place;
    const Example alone("cbam", {{"kernel", std::string("1x1")}});
    EXPECT_NEAR(gate_of(alone, 0), gate_of(alone, 6), 1e-12);
    EXPECT_GT(std::abs(gate_of(alone, 0) - gate_of(alone, 1)), 1e-6);
}

TEST(ImageExamples, AConvolutionOfOneChannelBendsItsMean) {
    const Trace trace = traced(Example("eca", {{"kernel", std::string("1")}}));
    const double weight = Example("eca", {{"kernel", std::string("1")}}).plan().parameter("w_channels")[0];
    std::vector<double> bent = stage(trace, "squeeze");
    for (double& number : bent)
        number = 1 / (1 + std::exp(-weight * number));
    EXPECT_TRUE(near(stage(trace, "channel_gate"), bent, 1e-12));
    expect_diagonal(Example("eca"));
}

TEST(ImageExamples, WhatStandsOutHasTheLargestGate) {
    const Example example("simam");
    expect_diagonal(example);
    ASSERT_EQ(example.words()[5], "music");
    for (Index place = 0; place < 8; ++place)
        EXPECT_LE(gate_of(example, place), gate_of(example, 5))
            << example.words()[static_cast<std::size_t>(place)];
    const Example even("simam", {{"lambda", 100.0}});
    for (Index place = 0; place < 8; ++place)
        EXPECT_NEAR(gate_of(even, place), 0.62, 0.01);
}

TEST(ImageExamples, NonLocalColoursFindColours) {
    const Example sharp("non_local");
    const Example warm("non_local", {{"temperature", 8.0}});
    ASSERT_EQ(warm.plan().query_width, 64);
    const std::vector<std::string> colours{"red", "blue", "green", "black"},
        animals{"cat", "dog", "horse", "cow"};
    for (const auto& kind : {colours, animals})
        for (const std::string& word : kind) {
            EXPECT_GT(sharp.weight(word, word == "cat" ? "dog" : word), 0.7) << word;
            EXPECT_NE(std::ranges::find(kind, warm.favourite(word)), kind.end()) << word;
        }
}

TEST(ImageExamples, NonLocalAddsToTheWords) {
    const Trace trace = traced(Example("non_local"));
    const auto tokens = stage(trace, "tokens"), update = stage(trace, "update");
    auto sum = tokens;
    std::ranges::transform(sum, update, sum.begin(), std::plus());
    EXPECT_TRUE(near(stage(trace, "output"), sum, 1e-12));
    EXPECT_EQ(stage(traced(Example("non_local", {{"gamma", 0.0}})), "output"), tokens);
}

TEST(ImageExamples, FeaturesAreMostLikeThemselves) {
    const auto map_of = [](const ParameterValues& values) {
        return stage(traced(Example("cross_covariance", values)), "feature_weights");
    };
    const std::vector<double> first = map_of({}), sharp = map_of({{"sharpness", 10.0}});
    ASSERT_EQ(sharp.size(), 64u * 64u);
    EXPECT_LT(std::ranges::max(first), 0.05);
    for (std::size_t row = 0; row < 64; ++row)
        for (std::size_t column = 0; column < 64; ++column) {
            const double weight = sharp[row * 64 + column];
            if (row == column) {
                EXPECT_GT(weight, 0.2) << row;
            } else {
                EXPECT_LT(weight, std::min(0.29, sharp[row * 64 + row])) << row << ", " << column;
            }
        }
    const Example example("cross_covariance");
    for (Index token = 0; token < 8; ++token)
        EXPECT_EQ(gate_of(example, token), 1);
}

}  // namespace

}  // namespace headlight::examples_images_test
