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

/// The places of both “red” in an example of eight words, four in a row.
void expect_red_at_0_and_6(const Example& example) {
    ASSERT_EQ(example.words()[0], "red");
    ASSERT_EQ(example.words()[6], "red");
}

TEST(ImageExamples, BottleneckAddsToTheImage) {
    const Example example("bam");
    expect_red_at_0_and_6(example);
    for (Index place = 0; place < 8; ++place) {
        EXPECT_GT(gate_of(example, place), 1);
        EXPECT_LT(gate_of(example, place), 2);
    }
    const Example alone("bam", {{"dilation", Index(4)}});
    EXPECT_NEAR(gate_of(alone, 0), gate_of(alone, 6), 1e-12);
}

// Four regions of 2 x 2: animals, colours, numbers, animals.
TEST(ImageExamples, RegionsOfAKindKeepEachOther) {
    const Example example("bi_level_routing");
    const auto is_of_animals = [](Index place) { return (place / 8 == 0) == (place % 4 / 2 == 0); };
    for (Index i = 0; i < 16; ++i)
        for (Index j = 0; j < 16; ++j)
            EXPECT_EQ(example.row(i)[static_cast<std::size_t>(j)] > 0, is_of_animals(i) == is_of_animals(j))
                << i << ", " << j;
}

TEST(ImageExamples, InvolutionMeetsWhatLiesAround) {
    const Example example("involution"), alone("involution", {{"kernel", std::string("1x1")}});
    for (Index i = 0; i < 12; ++i)
        for (Index j = 0; j < 12; ++j) {
            const auto at = static_cast<std::size_t>(j);
            if (std::abs(i / 4 - j / 4) > 1 || std::abs(i % 4 - j % 4) > 1) {
                EXPECT_EQ(example.row(i)[at], 0) << i << ", " << j;
            }
            if (i != j) {
                EXPECT_EQ(alone.row(i)[at], 0) << i << ", " << j;
            }
        }
}

// red blue cat dog, green black red cow
TEST(ImageExamples, FocalGatesAreMadeOfTheWordAlone) {
    const Example example("focal_modulation"),
        alone("focal_modulation", {{"kernel", std::string("1x1")}, {"levels", Index(1)}});
    const auto gates = stage(traced(example), "focal_gates");
    ASSERT_EQ(gates.size(), 8u * 3);
    for (std::size_t level = 0; level < 3; ++level)
        EXPECT_NEAR(gates[level], gates[6 * 3 + level], 1e-12);
    EXPECT_GT(std::abs(gate_of(example, 0) - gate_of(example, 6)), 1e-6);
    EXPECT_NEAR(gate_of(alone, 0), gate_of(alone, 6), 1e-12);
}

TEST(ImageExamples, PoolingTakesAWordOffTheMeanAroundIt) {
    const Example example("poolformer");
    for (Index i = 0; i < 12; ++i) {
        const auto row = example.row(i);
        EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 0, 1e-12) << i;
        Index seen = 0;
        for (Index j = 0; j < 12; ++j)
            seen += std::abs(i / 4 - j / 4) <= 1 && std::abs(i % 4 - j % 4) <= 1 ? 1 : 0;
        for (Index j = 0; j < 12; ++j) {
            const bool is_near = std::abs(i / 4 - j / 4) <= 1 && std::abs(i % 4 - j % 4) <= 1;
            EXPECT_NEAR(row[static_cast<std::size_t>(j)],
                        (is_near ? 1.0 / static_cast<double>(seen) : 0.0) - (i == j ? 1 : 0), 1e-12)
                << i << ", " << j;
        }
    }
    EXPECT_NEAR(example.row(0)[0], -0.75, 1e-12);
    EXPECT_NEAR(example.row(6)[6], -8.0 / 9, 1e-12);
}

TEST(ImageExamples, ALargeKernelKnowsWhatStandsAround) {
    const Example example("large_kernel"),
        alone("large_kernel", {{"kernel", std::string("1x1")}, {"dilation", Index(1)}});
    EXPECT_GT(std::abs(gate_of(example, 0) - gate_of(example, 6)), 1e-6);
    EXPECT_NEAR(gate_of(alone, 0), gate_of(alone, 6), 1e-12);
}

TEST(ImageExamples, ChannelsAndPlacesGateBothAtOnce) {
    const Example example("scse"), one_after_other("scse", {{"combined", std::string("product")}});
    expect_diagonal(one_after_other);
    EXPECT_NEAR(gate_of(example, 0), gate_of(example, 6), 1e-12);
    for (Index place = 0; place < 8; ++place) {
        EXPECT_GT(gate_of(example, place), 0);
        EXPECT_LT(gate_of(example, place), 2);
        EXPECT_LT(gate_of(one_after_other, place), 1);
    }
}

TEST(ImageExamples, CoordinatesAreGatesOfLines) {
    const Example example("coordinate");
    expect_diagonal(example);
    expect_red_at_0_and_6(example);
    EXPECT_GT(std::abs(gate_of(example, 0) - gate_of(example, 6)), 1e-6);
    const Trace trace = traced(example);
    const auto of_rows = stage(trace, "row_gate"), of_columns = stage(trace, "column_gate"),
               gates = stage(trace, "feature_gates");
    ASSERT_EQ(of_rows.size(), 2u * 64u);
    ASSERT_EQ(of_columns.size(), 4u * 64u);
    for (std::size_t channel = 0; channel < 64; ++channel)
        EXPECT_NEAR(gates[6 * 64 + channel], of_rows[64 + channel] * of_columns[2 * 64 + channel], 1e-12);
}

TEST(ImageExamples, TripletsOfOnePointKnowTheWordAndItsLines) {
    const Example example("triplet", {{"kernel", std::string("1x1")}});
    expect_diagonal(example);
    expect_red_at_0_and_6(example);
    const auto spatial = stage(traced(example), "spatial_gate");
    EXPECT_NEAR(spatial[0], spatial[6], 1e-12);
    EXPECT_GT(std::abs(gate_of(example, 0) - gate_of(example, 6)), 1e-6);
}

TEST(ImageExamples, ChosenKernelsAreOnePatternThatMoves) {
    const Example example("selective_kernel");
    EXPECT_NE(example.weight("black", "green"), 0);
    EXPECT_NE(example.weight("black", "cow"), 0) << "two steps away";
    EXPECT_EQ(example.weight("green", "pig"), 0) << "a step down and two to the right";
    EXPECT_NEAR(example.weight("black", "green"), example.weight("pig", "sheep"), 1e-12);
    const auto shares = stage(traced(example), "kernel_shares");
    ASSERT_EQ(shares.size(), 64u * 2u);
    for (std::size_t channel = 0; channel < 64; ++channel)
        EXPECT_NEAR(shares[2 * channel] + shares[2 * channel + 1], 1, 1e-12);
}

TEST(ImageExamples, GatesOfGroupsGoWithTheirWords) {
    const Plan plan = Example("group_enhance").plan();
    const auto gates = stage(record(std::make_shared<const Plan>(plan)), "group_gates");
    ASSERT_EQ(gates.size(), 8u * 8u);
    Inputs turned = plan.inputs;
    turned.query = rows_of(turned.query, {7, 3, 5, 1, 0, 2, 6, 4});
    const auto other = stage(record(planned(plan.spec, turned, plan.seed)), "group_gates");
    for (std::size_t group = 0; group < 8; ++group)
        EXPECT_NEAR(other[group], gates[7 * 8 + group], 1e-12);
    expect_diagonal(Example("group_enhance"));
}

TEST(ImageExamples, PolarizedSharesSumToOneAndGatesDoNot) {
    const Trace trace = traced(Example("polarized"));
    const auto sum = [&](const char* name) {
        const auto numbers = stage(trace, name);
        return std::accumulate(numbers.begin(), numbers.end(), 0.0);
    };
    EXPECT_EQ(stage(trace, "place_shares").size(), 8u);
    EXPECT_NEAR(sum("place_shares"), 1, 1e-12);
    EXPECT_GT(sum("spatial_gate"), 2);
}

TEST(ImageExamples, AWindowSeesTwoRowsAndColumnsFar) {
    const Example example("outlook");
    for (const char* far : {"dog", "cow", "goat"}) {
        EXPECT_EQ(example.weight("red", far), 0) << far;
        EXPECT_GT(example.weight("horse", far), 0) << far;
    }
    const auto sum = [&](const std::string& word) {
        const auto row = example.row(word);
        return std::accumulate(row.begin(), row.end(), 0.0);
    };
    EXPECT_GT(sum("horse"), sum("red"));
    const Example alone("outlook", {{"kernel", std::string("1x1")}});
    for (Index place = 0; place < 12; ++place)
        EXPECT_EQ(gate_of(alone, place), 1);
}

TEST(ImageExamples, CornersHaveThreeNeighboursAndTheMiddleEight) {
    const Example example("contextual");
    const auto seen = [&](const std::string& word) {
        return std::ranges::count_if(example.row(word), [](double weight) { return weight != 0; });
    };
    EXPECT_EQ(seen("red"), 4);
    EXPECT_EQ(seen("horse"), 9);
    for (const char* near : {"blue", "green", "black"})
        EXPECT_NE(example.weight("red", near), 0) << near;
    const auto shares = stage(traced(example), "fusion_shares");
    ASSERT_EQ(shares.size(), 64u * 2u);
    for (std::size_t channel = 0; channel < 64; ++channel)
        EXPECT_NEAR(shares[2 * channel] + shares[2 * channel + 1], 1, 1e-12);
    const Example alone("contextual", {{"kernel", std::string("1x1")}});
    for (Index query = 0; query < 12; ++query)
        for (Index key = 0; key < 12; ++key)
            EXPECT_EQ(alone.row(query)[static_cast<std::size_t>(key)] != 0, query == key);
}

TEST(ImageExamples, HalfOfAGroupIsGatedAlikeEverywhere) {
    const Example example("shuffle");
    expect_diagonal(example);
    const auto gates = stage(traced(example), "feature_gates");
    for (std::size_t place = 1; place < 8; ++place)
        for (std::size_t channel = 0; channel < 64; ++channel)
            EXPECT_EQ(gates[place * 64 + channel] == gates[channel], channel % 8 < 4);
    const auto plain = stage(traced(Example("shuffle", {{"shuffle", false}})), "output"),
               shuffled = stage(traced(example), "output");
    EXPECT_EQ(shuffled[1], plain[32]);
}

TEST(ImageExamples, AGateKnowsThePatchThatItsWordLiesIn) {
    const Example example("attention_gate");
    expect_diagonal(example);
    expect_red_at_0_and_6(example);
    EXPECT_GT(std::abs(gate_of(example, 0) - gate_of(example, 6)), 1e-6);
    for (const Index ratio : {1, 4}) {
        const Example alike("attention_gate", {{"ratio", ratio}});
        EXPECT_NEAR(gate_of(alike, 0), gate_of(alike, 6), 1e-12) << ratio;
    }
    const auto signal = stage(traced(example), "gating_signal");
    for (std::size_t channel = 0; channel < 64; ++channel) {
        EXPECT_NEAR(signal[5 * 64 + channel], signal[channel], 1e-12);
        EXPECT_NEAR(signal[7 * 64 + channel], signal[2 * 64 + channel], 1e-12);
    }
}

// red blue cat dog, green black horse cow, music sheep pig goat
TEST(ImageExamples, APointLiesAmongFourWords) {
    const Example one("deformable", {{"points", Index(1)}});
    for (Index query = 0; query < 12; ++query) {
        const auto row = one.row(query);
        EXPECT_LE(std::ranges::count_if(row, [](double weight) { return weight != 0; }), 4) << query;
        EXPECT_LE(std::accumulate(row.begin(), row.end(), 0.0), 1 + 1e-12) << query;
        for (const double weight : row)
            EXPECT_GE(weight, 0);
    }
    const auto shares = stage(traced(Example("deformable")), "point_weights");
    ASSERT_EQ(shares.size(), 12u * 4u);
    for (std::size_t query = 0; query < 12; ++query)
        EXPECT_NEAR(std::accumulate(&shares[4 * query], &shares[4 * query] + 4, 0.0), 1, 1e-12);
}

TEST(ImageExamples, SharedPointsLightTheSameWords) {
    const Example example("dat"), still("dat", {{"reach", 0.0}});
    const auto shares = stage(traced(example), "point_shares");
    ASSERT_EQ(shares.size(), 4u * 12u);
    for (std::size_t point = 0; point < 4; ++point)
        EXPECT_LE(std::ranges::count_if(std::span(shares).subspan(12 * point, 12),
                                        [](double share) { return share != 0; }),
                  4);
    for (Index query = 1; query < 12; ++query)
        for (std::size_t key = 0; key < 12; ++key)
            EXPECT_EQ(example.row(query)[key] > 0, example.row(0)[key] > 0);
    EXPECT_NEAR(stage(traced(still), "point_shares")[0], 0.25, 1e-12) << "the middle of a square";
}

TEST(ImageExamples, AWindowHasAConvolutionBesideIt) {
    const Example example("acmix");
    for (Index query = 0; query < 12; ++query)
        for (Index key = 0; key < 12; ++key) {
            const bool is_near = std::abs(query / 4 - key / 4) <= 1 && std::abs(query % 4 - key % 4) <= 1;
            EXPECT_EQ(example.row(query)[static_cast<std::size_t>(key)] > 0, is_near);
        }
    const Trace trace = traced(example);
    const auto attended = stage(trace, "attended"), shifted = stage(trace, "shifted_sum"),
               context = stage(trace, "context");
    for (std::size_t i = 0; i < context.size(); ++i)
        EXPECT_NEAR(context[i], (attended[i] + shifted[i]) / 2, 1e-12) << "both count the same at first";
}

TEST(ImageExamples, AFilterIsOneKernelMovedAroundTheGrid) {
    const Example example("global_filter");
    EXPECT_NEAR(example.weight("cat", "blue"), example.weight("blue", "red"), 1e-12);
    EXPECT_NEAR(example.weight("red", "dog"), example.weight("blue", "red"), 1e-12);
    EXPECT_NEAR(example.weight("red", "music"), example.weight("green", "red"), 1e-12);
    EXPECT_NEAR(example.weight("goat", "red"), example.weight("cow", "music"), 1e-12);
    EXPECT_GT(std::abs(example.weight("blue", "red") - example.weight("red", "blue")), 1e-6);
}

TEST(ImageExamples, GatesCannotChooseSharply) {
    const auto shares = stage(traced(Example("pyramid_split")), "pyramid_shares");
    ASSERT_EQ(shares.size(), 16u * 4u);
    for (std::size_t channel = 0; channel < 16; ++channel) {
        double sum = 0;
        for (std::size_t group = 0; group < 4; ++group) {
            EXPECT_GT(shares[4 * channel + group], 0.109);
            EXPECT_LT(shares[4 * channel + group], 0.476);
            sum += shares[4 * channel + group];
        }
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

TEST(ImageExamples, ChannelsLookAtTheirLikeOrAtTheOthers) {
    const auto alike = stage(traced(Example("danet")), "feature_weights"),
               unlike =
                   stage(traced(Example("danet", {{"channels", std::string("unlike")}})), "feature_weights");
    ASSERT_EQ(alike.size(), 64u * 64u);
    for (std::size_t row = 0; row < 64; ++row) {
        const std::span<const double> of_row = std::span(alike).subspan(row * 64, 64),
                                      turned = std::span(unlike).subspan(row * 64, 64);
        EXPECT_NEAR(std::accumulate(of_row.begin(), of_row.end(), 0.0), 1, 1e-12);
        for (std::size_t column = 1; column < 64; ++column)  // their product is the same for all of a row
            EXPECT_NEAR(of_row[column] * turned[column], of_row[0] * turned[0], 1e-12);
    }
}

TEST(ImageExamples, EdgesSeeThoseOfTheirNode) {
    const Example starting("triangle"), ending("triangle", {{"node", std::string("ending")}});
    for (Index edge = 0; edge < 9; ++edge)
        for (Index other = 0; other < 9; ++other) {
            EXPECT_EQ(starting.row(edge)[static_cast<std::size_t>(other)] != 0, edge / 3 == other / 3);
            EXPECT_EQ(ending.row(edge)[static_cast<std::size_t>(other)] != 0, edge % 3 == other % 3);
        }
    const Trace trace = traced(starting);
    const auto sides = stage(trace, "side_biases"), biases = stage(trace, "triangle_biases");
    for (std::size_t node = 0; node < 3; ++node)  // blue, the edge (0, 1), with (0, node): dog, green, black
        EXPECT_EQ(biases[1 * 9 + node], sides[3 + node]);
}

TEST(ImageExamples, AWordTakesWhatItsLikeInAnotherWindowFinds) {
    const Example example("window_tokens");
    EXPECT_NEAR(example.weight("red", "red"), 0.25, 0.005);
    EXPECT_NEAR(example.weight("red", "cat"), 0.14, 0.005);
    EXPECT_NEAR(example.weight("red", "dog"), 0.16, 0.005);
    EXPECT_NEAR(example.weight("red", "dog") / example.weight("red", "cat"),
                example.weight("cat", "dog") / example.weight("cat", "cat"), 1e-12);
    const std::vector<double> of_windows = stage(traced(example), "weights_of_windows");
    EXPECT_NEAR(of_windows[0], 0.60, 0.005);
    EXPECT_NEAR(of_windows[1], 0.40, 0.005);
    EXPECT_NEAR(of_windows[4], 0.51, 0.005);
    EXPECT_NEAR(of_windows[5], 0.49, 0.005);
}

TEST(ImageExamples, ARegionIsTheOneWayToAnother) {
    const Example example("region_tokens"), windows("swin");
    const Trace trace = traced(example);
    const std::vector<double> own = stage(trace, "region_weights"),
                              regions = stage(trace, "weights_of_regions");
    EXPECT_EQ(example.words()[2], "cat");
    EXPECT_EQ(std::ranges::max_element(own) - own.begin(), 2);
    EXPECT_NEAR(own[2], 0.025, 0.0005);
    EXPECT_NEAR(regions[0], 0.997, 0.0005);
    EXPECT_NEAR(regions[3], 0.994, 0.0005);
    for (Index query = 0; query < 8; ++query)
        for (std::size_t key = 0; key < 8; ++key)
            EXPECT_NEAR(example.row(query)[key],
                        windows.row(query)[key] * (1 - own[static_cast<std::size_t>(query)]), 1e-12);
}

TEST(ImageExamples, WordsOfAPatchAreOneKey) {
    const Example example("spatial_reduction");
    for (const std::string& word : example.words()) {
        for (const char* colour : {"blue", "green", "black"})
            EXPECT_NEAR(example.weight(word, colour), example.weight(word, "red"), 1e-12);
        for (const char* animal : {"dog", "horse", "cow"})
            EXPECT_NEAR(example.weight(word, animal), example.weight(word, "cat"), 1e-12);
    }
    EXPECT_EQ(stage(traced(example), "pooled_weights").size(), 8u * 2u);
    EXPECT_EQ(stage(traced(Example("spatial_reduction", {{"ratio", Index(1)}})), "pooled_weights").size(),
              8u * 8u);
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
