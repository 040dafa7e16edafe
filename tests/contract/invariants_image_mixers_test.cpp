// What images promise that are mixed by points, by waves, by kernels of many sizes or by maps of places and
// of channels, what triangles of edges do, and attention with a softmax for each feature or with none.

#include "core/tensor/error.h"
#include "tests/support/image_runs.h"

#include <numeric>

namespace headlight::invariants_image_mixers_test {

using namespace test;
using namespace test::images;

namespace {

double cell(const std::vector<double>& map, Index query, Index key, Index keys = places) {
    return map[static_cast<std::size_t>(query * keys + key)];
}

struct WindowsOfImages : testing::Test {
    RandomEngine random{127};
    Inputs inputs{.query = random_tensor({places, channels}, random)};

    static AttentionSpec of(const std::string& type, Index size) {
        return image({{"type", type}, {"columns", columns}, {"size", size}});
    }
};

TEST_F(WindowsOfImages, WithOneWindowHaveALearnedTokenBesideTheOthers) {
    const Tensor token = random_tensor({channels}, random);
    inputs.parameters["window_token"] = token;
    inputs.parameters["K_memory"] = inputs.parameters["V_memory"] =
        Tensor({1, channels}, {token.values().begin(), token.values().end()});
    EXPECT_TRUE(near(run(of("window_tokens", 4), inputs),
                     run(image({{"type", "persistent_memory"}, {"slots", 1}}), inputs), exact));
}

TEST_F(WindowsOfImages, ShareARowAmongPlacesAndTokens) {
    const Trace trace = record(planned(of("window_tokens", 2), inputs));
    const auto weights = stage(trace, "weights"), tokens = stage(trace, "weights_of_window_tokens");
    for (Index query = 0; query < places; ++query) {
        double sum = tokens[static_cast<std::size_t>(query)];
        for (Index key = 0; key < places; ++key)
            sum += cell(weights, query, key);
        EXPECT_NEAR(sum, 1, exact);
    }
}

// The lower two of four windows have one of the grid’s three rows: a place of the second row has no like
// there.
TEST_F(WindowsOfImages, ThatLackAPlaceTakeNoPartInIt) {
    inputs.parameters["W_window_query"] = Tensor({channels, channels});
    const auto mixing = stage(record(planned(of("window_tokens", 2), inputs)), "weights_of_windows");
    for (Index place = 0; place < places; ++place) {
        const bool is_whole = place / columns % 2 == 0;
        for (Index window = 0; window < 4; ++window)
            EXPECT_NEAR(cell(mixing, place, window, 4), is_whole ? 0.25 : window < 2 ? 0.5 : 0, exact);
    }
}

// exp(0) beside the exponentials of the window, for a value of 0.
TEST_F(WindowsOfImages, WhoseRegionsAreZeroLeaveARestToNobody) {
    inputs.parameters["W_region"] = Tensor({4 * channels, channels});
    const AttentionSpec window = spec(
        R"({"mask": {"type": "grid_window", "columns": 4, "size": 2}, "normalizer": {"type": "off_by_one"}})");
    EXPECT_TRUE(near(run(of("region_tokens", 2), inputs), run(window, inputs), exact));
}

TEST_F(WindowsOfImages, TellOneAnotherByTheirRegionsAlone) {
    const Numbers before = run(of("region_tokens", 2), inputs);
    Inputs moved = inputs;
    for (Index channel = 0; channel < channels; ++channel)
        moved.query(places - 1, channel) += 2;
    const Numbers after = run(of("region_tokens", 2), moved);
    EXPECT_FALSE(
        near(std::span(after.output).first(channels), std::span(before.output).first(channels), 1e-6));
    for (Index key = 0; key < places; ++key)
        EXPECT_EQ(cell(after.weights, 0, key) == 0, key > 5 || key % columns > 1);
}

struct Points : testing::Test {
    RandomEngine random{121};
    Inputs inputs{.query = random_tensor({places, channels}, random)};

    static AttentionSpec of(Index points) {
        return image({{"type", "deformable"}, {"columns", columns}, {"points", points}});
    }
    /// One point, the same steps down and to the right for all.
    void move_by(double down, double right) {
        inputs.parameters["W_offsets"] = Tensor({channels, 2});
        inputs.parameters["b_offsets"] = Tensor({1, 2}, {down, right});
    }
};

TEST_F(Points, AtThePlaceItselfAreItsValue) {
    move_by(0, 0);
    const Numbers numbers = run(of(1), inputs);
    EXPECT_TRUE(near(numbers.output, inputs.query.values(), exact));
    EXPECT_TRUE(near(numbers.weights, identity(places).values(), exact));
}

TEST_F(Points, OneStepAwayAreTheNeighbourAndNothingOutside) {
    move_by(1, -1);
    const auto weights = run(of(1), inputs).weights;
    for (Index query = 0; query < places; ++query)
        for (Index key = 0; key < places; ++key)
            EXPECT_EQ(cell(weights, query, key),
                      key / columns == query / columns + 1 && key % columns == query % columns - 1);
}

TEST_F(Points, BetweenPlacesHaveMoreOfTheNearer) {
    move_by(0.25, 0.5);
    const auto weights = run(of(1), inputs).weights;
    const Index from = 1;
    EXPECT_NEAR(cell(weights, from, from), 0.375, exact);
    EXPECT_NEAR(cell(weights, from, from + 1), 0.375, exact);
    EXPECT_NEAR(cell(weights, from, from + columns), 0.125, exact);
    EXPECT_NEAR(cell(weights, from, from + columns + 1), 0.125, exact);
    // Half of a point beyond the right edge is lost, and a quarter of that below.
    EXPECT_NEAR(std::accumulate(&weights[3 * places], &weights[3 * places] + places, 0.0), 0.5, exact);
    EXPECT_NEAR(std::accumulate(&weights[11 * places], &weights[11 * places] + places, 0.0), 0.375, exact);
}

TEST_F(Points, FarAwayFindNothing) {
    for (const double far : {40.0, -1e9, 1e300}) {
        move_by(far, 0);
        const Numbers numbers = run(of(1), inputs);
        for (const double number : numbers.weights)
            EXPECT_EQ(number, 0);
        for (const double number : numbers.output)
            EXPECT_EQ(number, 0);
    }
}

TEST_F(Points, ThatAreTheSameCountAsOne) {
    inputs.parameters["W_offsets"] = Tensor({channels, 6});
    inputs.parameters["b_offsets"] = Tensor({1, 6}, {0.3, -0.6, 0.3, -0.6, 0.3, -0.6});
    const Numbers three = run(of(3), inputs);
    for (const char* name : {"W_offsets", "b_offsets"})
        inputs.parameters.erase(name);
    move_by(0.3, -0.6);
    EXPECT_TRUE(near(three, run(of(1), inputs), exact));
}

// The third size of an image of 3 × 4 places is one place, the mean of all, in whose middle nobody stands.
TEST_F(Points, OfASmallerImageHaveTheMeanOfAPatch) {
    const auto of_levels = [](Index levels) {
        return image({{"type", "deformable"}, {"columns", columns}, {"points", 1}, {"levels", levels}});
    };
    inputs.parameters["W_offsets"] = Tensor({channels, 4});
    inputs.parameters["b_offsets"] = Tensor({1, 4}, {0, 0, 0.25, 0.25});
    inputs.parameters["W_points"] = Tensor({channels, 2});
    inputs.parameters["b_points"] = Tensor({1, 2}, {-1000, 0});  // the second size alone
    const auto weights = run(of_levels(2), inputs).weights;
    for (Index key = 0; key < places; ++key) {
        const bool is_of_patch = key / columns < 2 && key % columns < 2;
        EXPECT_NEAR(cell(weights, 0, key), is_of_patch ? 0.25 : 0, exact) << "the middle of the patch";
    }
    inputs.parameters["b_offsets"] = Tensor({1, 4}, {0, 0, 1.25, 0.25});
    const auto lower = run(of_levels(2), inputs).weights;
    for (Index key = 0; key < places; ++key)
        EXPECT_NEAR(cell(lower, 0, key), key == 8 || key == 9 ? 0.5 : 0, exact) << "half a patch";
    inputs.parameters["W_offsets"] = Tensor({channels, 6});
    inputs.parameters["b_offsets"] = Tensor({1, 6}, {0, 0, 0, 0, 0.375, 0.375});
    inputs.parameters["W_points"] = Tensor({channels, 3});
    inputs.parameters["b_points"] = Tensor({1, 3}, {-1000, -1000, 0});
    const auto whole = run(of_levels(3), inputs).weights;
    for (Index key = 0; key < places; ++key)
        EXPECT_NEAR(cell(whole, 0, key), 1.0 / places, exact);
    inputs.parameters["b_points"] = Tensor({1, 3}, {0, -1000, -1000});
    EXPECT_TRUE(near(run(of_levels(3), inputs).weights, identity(places).values(), exact)) << "the first";
}

TEST_F(Points, DoNotDependOnTheKeys) {
    inputs.parameters = planned(of(4), inputs)->inputs.parameters;
    const auto before = run(of(4), inputs).weights;
    for (double& number : inputs.query.row(5))
        number += 1;
    const auto after = run(of(4), inputs).weights;
    for (Index query = 0; query < places; ++query)
        for (Index key = 0; key < places && query != 5; ++key)
            EXPECT_EQ(cell(after, query, key), cell(before, query, key));
}

struct Filter : testing::Test {
    static constexpr Index waves = rows * (columns / 2 + 1);
    RandomEngine random{122};
    Inputs inputs{.query = random_tensor({places, channels}, random)};
    const AttentionSpec filter = image({{"type", "global_filter"}, {"columns", columns}});
};

TEST_F(Filter, OfOnesLeavesTheImage) {
    inputs.parameters["W_filter_cosine"] = Tensor({waves, channels}, 1);
    inputs.parameters["W_filter_sine"] = Tensor({waves, channels});
    const Numbers numbers = run(filter, inputs);
    EXPECT_TRUE(near(numbers.output, inputs.query.values(), exact));
    EXPECT_TRUE(near(numbers.weights, identity(places).values(), exact));
}

TEST_F(Filter, OfTheLongestWaveIsTheMean) {
    Tensor first({waves, channels});
    for (double& number : first.row(0))
        number = 1;
    inputs.parameters["W_filter_cosine"] = first;
    inputs.parameters["W_filter_sine"] = Tensor({waves, channels});
    for (const double weight : run(filter, inputs).weights)
        EXPECT_NEAR(weight, 1.0 / places, exact);
}

// The edges are joined: an image that is moved around them comes out moved.
TEST_F(Filter, MovesWithTheImage) {
    inputs.parameters = planned(filter, inputs)->inputs.parameters;
    std::vector<Index> moved;
    for (Index place = 0; place < places; ++place)
        moved.push_back((place / columns + 1) % rows * columns + (place % columns + 3) % columns);
    const Tensor before({places, channels}, run(filter, inputs).output);
    inputs.query = rows_of(inputs.query, moved);
    EXPECT_TRUE(near(run(filter, inputs).output, rows_of(before, moved).values(), exact));
}

TEST_F(Filter, OfAllChannelsAlikeIsTheMap) {
    Tensor cosine({waves, channels}), sine({waves, channels});
    const Tensor one = random_tensor({waves, 2}, random);
    for (Index wave = 0; wave < waves; ++wave)
        for (Index channel = 0; channel < channels; ++channel) {
            cosine(wave, channel) = one(wave, 0);
            sine(wave, channel) = one(wave, 1);
        }
    inputs.parameters["W_filter_cosine"] = cosine;
    inputs.parameters["W_filter_sine"] = sine;
    const Numbers numbers = run(filter, inputs);
    EXPECT_TRUE(near(numbers.output,
                     product(Tensor({places, places}, numbers.weights), inputs.query).values(), exact));
}

struct Pyramid : testing::Test {
    RandomEngine random{123};
    Inputs inputs{.query = random_tensor({places, channels}, random)};

    static AttentionSpec of(Index groups) {
        return image({{"type", "pyramid_split"}, {"columns", columns}, {"groups", groups}});
    }
    /// Kernels that leave each channel as it is.
    void leave_channels(Index groups) {
        const Index width = channels / groups;
        for (Index group = 0; group < groups; ++group) {
            const Index taps = (2 * group + 3) * (2 * group + 3);
            Tensor kernel({taps * width, width});
            for (Index channel = 0; channel < width; ++channel)
                kernel(taps / 2 * width + channel, channel) = 1;
            inputs.parameters["W_pyramid_" + std::to_string(group + 1)] = kernel;
        }
    }
};

TEST_F(Pyramid, OfOneGroupIsItsConvolution) {
    leave_channels(1);
    EXPECT_TRUE(near(run(of(1), inputs).output, inputs.query.values(), exact));
}

TEST_F(Pyramid, WithoutGatesSharesAlike) {
    for (const Index groups : {2, 3}) {
        inputs.parameters.clear();
        leave_channels(groups);
        inputs.parameters["W_excite"] = Tensor({1, channels / groups});
        const Numbers numbers = run(of(groups), inputs);
        EXPECT_TRUE(near(numbers.output,
                         times({inputs.query.values().begin(), inputs.query.values().end()},
                               1 / static_cast<double>(groups)),
                         exact));
    }
}

TEST_F(Pyramid, SharesSumToOneForEachChannelOfAGroup) {
    const auto shares = stage(record(planned(of(3), inputs)), "pyramid_shares");
    ASSERT_EQ(shares.size(), 2u * 3u);
    for (std::size_t channel = 0; channel < 2; ++channel)
        EXPECT_NEAR(std::accumulate(&shares[3 * channel], &shares[3 * channel] + 3, 0.0), 1, exact);
}

TEST_F(Pyramid, HasAsManyGroupsAsSplitTheChannelsEvenly) {
    const auto shares_of = [&](Index width, Index asked) {
        const auto shares =
            stage(record(planned(of(asked), Inputs{.query = random_tensor({places, width}, random)})),
                  "pyramid_shares");
        return std::ssize(shares);
    };
    EXPECT_EQ(shares_of(6, 4), 6) << "two channels, three groups";
    EXPECT_EQ(shares_of(5, 4), 5) << "five channels, one group";
    EXPECT_EQ(planned(of(4), inputs)->inputs.parameters.count("W_pyramid_4"), 0u);
    EXPECT_EQ(planned(of(4), inputs)->inputs.parameters.count("W_pyramid_3"), 1u);
}

struct Dual : testing::Test {
    RandomEngine random{124};
    Inputs inputs{.query = random_tensor({places, channels}, random)};

    static AttentionSpec of(Json options) {
        options["type"] = "dual";
        return image(std::move(options));
    }
};

TEST_F(Dual, WithoutStrengthIsTwiceTheImage) {
    EXPECT_TRUE(near(run(of({{"alpha", 0.0}, {"beta", 0.0}}), inputs).output,
                     times({inputs.query.values().begin(), inputs.query.values().end()}, 2), exact));
}

TEST_F(Dual, OfPlacesAloneIsScaledAttention) {
    EXPECT_TRUE(near(run(of({{"beta", 0.0}, {"residual", false}, {"scaled", true}}), inputs),
                     run(spec("{}"), inputs), exact));
}

TEST_F(Dual, ChannelsDoNotSeeTheOrderOfPlaces) {
    std::vector<Index> order(places);
    std::iota(order.rbegin(), order.rend(), Index(0));
    const auto before = stage(record(planned(of(Json::object()), inputs)), "feature_weights");
    inputs.query = rows_of(inputs.query, order);
    EXPECT_TRUE(near(stage(record(planned(of(Json::object()), inputs)), "feature_weights"), before, exact));
}

struct Triangles : testing::Test {
    static constexpr Index nodes = 4, edges = nodes * nodes;
    RandomEngine random{125};
    Inputs inputs{.query = random_tensor({edges, channels}, random)};

    static AttentionSpec around(const std::string& node) {
        return image({{"type", "triangle"}, {"columns", nodes}, {"node", node}});
    }
};

TEST_F(Triangles, WithoutBiasesAreRowsOrColumns) {
    inputs.parameters["W_sides"] = Tensor({channels, 1});
    for (const auto& [node, part] :
         std::vector<std::pair<std::string, std::string>>{{"starting", "row"}, {"ending", "column"}}) {
        const AttentionSpec axial =
            spec(Json{{"mask", {{"type", "axial"}, {"columns", nodes}, {"part", part}}}}.dump());
        EXPECT_TRUE(near(run(around(node), inputs), run(axial, Inputs{.query = inputs.query}), exact))
            << node;
    }
}

TEST_F(Triangles, AroundTheOtherNodeAreThoseOfTheMirroredGrid) {
    inputs.parameters["W_sides"] = random_tensor({channels, 1}, random);
    std::vector<Index> mirrored;
    for (Index edge = 0; edge < edges; ++edge)
        mirrored.push_back(edge % nodes * nodes + edge / nodes);
    const Tensor ending({edges, channels}, run(around("ending"), inputs).output);
    inputs.query = rows_of(inputs.query, mirrored);
    EXPECT_TRUE(near(run(around("starting"), inputs).output, rows_of(ending, mirrored).values(), exact));
}

// An edge whose bias is large draws to it all edges that close a triangle.
TEST_F(Triangles, AreClosedByTheThirdSide) {
    const Index from = 1, to = 2, side = from * nodes + to;
    for (Index edge = 0; edge < edges; ++edge)
        inputs.query(edge, 0) = edge == side ? 1 : 0;
    Tensor sides({channels, 1});
    sides(0, 0) = 60;
    inputs.parameters["W_sides"] = sides;
    const auto weights = run(around("starting"), inputs).weights;
    for (Index start = 0; start < nodes; ++start)
        EXPECT_NEAR(cell(weights, start * nodes + from, start * nodes + to, edges), 1, exact);
    for (Index start = 0; start < nodes; ++start)
        EXPECT_LT(cell(weights, start * nodes + from + 2, start * nodes + to, edges), 0.999);
}

TEST_F(Triangles, OfATextThatIsTooShortMissSides) {
    inputs.query = random_tensor({6, channels}, random);  // two rows of four nodes: no edge begins at 2 or 3
    const auto biases = stage(record(planned(around("starting"), inputs)), "triangle_biases");
    for (Index other = 0; other < 4; ++other) {
        EXPECT_EQ(cell(biases, 2, other, 6), 0);
        EXPECT_NE(cell(biases, 0, other, 6), 0);
    }
}

struct Features : testing::Test {
    RandomEngine random{126};
    Inputs inputs{.query = random_tensor({4, channels}, random),
                  .key = random_tensor({7, channels}, random),
                  .value = random_tensor({7, 5}, random)};

    static AttentionSpec of(const std::string& options) {
        return spec(R"({"source": {"type": "cross"}, "algorithm": {)" + options + "}}");
    }
};

TEST_F(Features, WithoutMatricesAreMeans) {
    for (const char* name : {"W_features_query", "W_features_key"})
        inputs.parameters[name] = Tensor({channels, 5});
    for (const double weight : run(of(R"("type": "multi_dimensional")"), inputs).weights)
        EXPECT_NEAR(weight, 1.0 / 7, exact);
}

// Features whose scores are alike have one map: the mean map is then what values are weighed by.
TEST_F(Features, OfOneScoreAreOneMap) {
    for (const char* name : {"W_features_query", "W_features_key"}) {
        const Tensor column = random_tensor({channels, 1}, random);
        Tensor alike({channels, 5});
        for (Index row = 0; row < channels; ++row)
            for (double& number : alike.row(row))
                number = column(row, 0);
        inputs.parameters[name] = alike;
    }
    inputs.parameters["b_features"] = Tensor({5}, 0.3);
    const Numbers numbers = run(of(R"("type": "multi_dimensional")"), inputs);
    EXPECT_TRUE(
        near(numbers.output, product(Tensor({4, 7}, numbers.weights), *inputs.value).values(), exact));
}

TEST_F(Features, HaveBoundedScores) {
    for (double& number : inputs.key->values())
        number *= 1e6;
    const double bound = 0.5;
    const auto weights = run(of(R"("type": "multi_dimensional", "bound": 0.5)"), inputs).weights;
    for (const double weight : weights)
        EXPECT_GE(weight, std::exp(-2 * bound) / 7 * (1 - exact));
}

TEST_F(Features, RectifiedScoresAndThoseOfTheOppositeAreTheScores) {
    const AttentionSpec rectified = of(R"("type": "rectified")");
    const auto above = run(rectified, inputs).weights;
    const auto scores = stage(record(planned(rectified, inputs)), "scores");
    for (double& number : inputs.query.values())
        number = -number;
    const auto below = run(rectified, inputs).weights;
    for (std::size_t pair = 0; pair < scores.size(); ++pair) {
        EXPECT_NEAR(above[pair] - below[pair], scores[pair], exact);
        EXPECT_EQ(std::min(above[pair], below[pair]), 0);
    }
}

TEST_F(Features, RectifiedHaveOneSizeWhateverWasFound) {
    const AttentionSpec rectified = of(R"("type": "rectified", "gated": false)");
    std::ranges::copy(inputs.query.row(0), inputs.key->row(0).begin());  // the first query finds one at least
    const auto before = run(rectified, inputs).output;
    for (const double factor : {0.5, 40.0, 1e150}) {  // a small number is added to the squares
        Inputs other = inputs;
        for (double& number : other.value->values())
            number *= factor;
        EXPECT_TRUE(near(run(rectified, other).output, before, 1e-5)) << factor;
    }
    double squares = 0;
    for (const double number : std::span(before).subspan(0, 5))
        squares += number * number;
    EXPECT_NEAR(squares, 5, 1e-5);
}

TEST_F(Features, OfKernelsWithoutNumbersAreMeansBesideTheAttention) {
    const Inputs alone{.query = inputs.query,
                       .parameters = {{"W_muse_1", Tensor({channels, 3})},
                                      {"W_muse_2", Tensor({channels, 5})},
                                      {"g_sizes", Tensor({2}, {50, -50})}}};  // the small kernel alone
    const auto both = run(image(Json::object({{"type", "muse"}})), alone).weights,
               attention = run(spec("{}"), Inputs{.query = inputs.query}).weights;
    for (Index query = 0; query < 4; ++query)
        for (Index key = 0; key < 4; ++key)
            EXPECT_NEAR(cell(both, query, key, 4) - cell(attention, query, key, 4),
                        std::abs(query - key) <= 1 ? 1.0 / 3 : 0, exact);
}

TEST_F(Features, OfKernelsGoThroughAMatrixOfTheirOwn) {
    const auto of_muse = [](const std::string& options) {
        return image(Json::parse(R"({"type": "muse", "kernel": "plain")" + options + "}"));
    };
    Inputs alone{.query = inputs.query,
                 .parameters = {{"k_muse_1", random_tensor({1, 3}, random)},
                                {"k_muse_2", random_tensor({1, 5}, random)},
                                {"W_convolution", identity(channels)}}};
    const Numbers shared = run(of_muse(""), alone);
    EXPECT_TRUE(near(run(of_muse(R"(, "output": "own")"), alone), shared, exact));
    for (Index query = 2; query < 4; ++query)
        EXPECT_NEAR(cell(shared.weights, query, query - 2, 4) -
                        cell(run(spec("{}"), Inputs{.query = inputs.query}).weights, query, query - 2, 4),
                    cell(shared.weights, 2, 0, 4) -
                        cell(run(spec("{}"), Inputs{.query = inputs.query}).weights, 2, 0, 4),
                    exact)
            << "one kernel for all tokens";
    alone.parameters["W_convolution"] = Tensor({channels, channels});
    EXPECT_TRUE(near(run(of_muse(R"(, "output": "own")"), alone).output,
                     run(spec("{}"), Inputs{.query = inputs.query}).output, exact))
        << "the attention alone";
}

TEST_F(Features, RectifiedThatFindNothingStayZero) {
    inputs.query = Tensor({4, channels}, 1);
    inputs.key = Tensor({7, channels}, -1);
    for (const bool is_gated : {false, true}) {
        const Numbers numbers =
            run(of(std::string(R"("type": "rectified", "gated": )") + (is_gated ? "true" : "false")), inputs);
        for (const double number : numbers.output)
            EXPECT_EQ(number, 0);
        for (const double weight : numbers.weights)
            EXPECT_EQ(weight, 0);
    }
}

}  // namespace

}  // namespace headlight::invariants_image_mixers_test
