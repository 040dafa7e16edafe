// What windows and gates of images promise that are made of what stands around a place, and maxima and
// rounded keys in the place of what a softmax is made of.

#include "core/tensor/error.h"
#include "tests/support/image_runs.h"

#include <numeric>
#include <set>

namespace headlight::invariants_windows_test {

using namespace test;
using namespace test::images;

namespace {

struct Windows : testing::Test {
    RandomEngine random{101};
    Inputs inputs{.query = random_tensor({places, channels}, random)};

    static AttentionSpec contextual(const std::string& kernel, bool is_softmax, const std::string& fusion) {
        return image({{"type", "contextual"},
                      {"columns", columns},
                      {"kernel", kernel},
                      {"softmax", is_softmax},
                      {"fusion", fusion}});
    }
};

TEST_F(Windows, OfOnePlaceWithoutNumbersAreTheKeys) {
    inputs.parameters["W_context"] = identity(channels);
    inputs.parameters["W_neighbours"] = Tensor({channels / 2, 1});
    const Numbers numbers = run(contextual("1x1", false, "sum"), inputs);
    EXPECT_TRUE(near(numbers.output, inputs.query.values(), exact));
    for (const double weight : numbers.weights)
        EXPECT_EQ(weight, 0);
}

// Zeros stand around the image.
TEST_F(Windows, WithoutNumbersAreAMeanWhereTheyAreShares) {
    inputs.parameters["W_context"] = Tensor({9 * channels, channels});
    inputs.parameters["W_neighbours"] = Tensor({channels / 2, 9});
    const auto output = run(contextual("3x3", true, "sum"), inputs).output;
    for (Index place = 0; place < places; ++place)
        for (Index channel = 0; channel < channels; ++channel) {
            double sum = 0;
            for (Index other = 0; other < places; ++other)
                if (std::abs(other / columns - place / columns) <= 1 &&
                    std::abs(other % columns - place % columns) <= 1)
                    sum += inputs.query(other, channel);
            EXPECT_NEAR(output[static_cast<std::size_t>(place * channels + channel)], sum / 9, exact);
        }
}

TEST_F(Windows, SeeTheirNeighboursAlone) {
    const auto weights = run(contextual("3x3", true, "selective"), inputs).weights;
    for (Index query = 0; query < places; ++query)
        for (Index key = 0; key < places; ++key) {
            const bool is_near = std::abs(query / columns - key / columns) <= 1 &&
                                 std::abs(query % columns - key % columns) <= 1;
            EXPECT_EQ(weights[static_cast<std::size_t>(query * places + key)] > 0, is_near);
        }
}

TEST_F(Windows, WithoutAChoiceAreHalfOfBothContexts) {
    inputs.parameters["W_fusion"] = Tensor({channels / 2, 2 * channels});
    inputs.parameters["W_context"] = random_tensor({9 * channels, channels}, random);
    inputs.parameters["W_context_hidden"] = random_tensor({2 * channels, channels / 2}, random);
    inputs.parameters["W_neighbours"] = random_tensor({channels / 2, 9}, random);
    const auto fused = run(contextual("3x3", false, "selective"), inputs).output;
    inputs.parameters.erase("W_fusion");
    EXPECT_TRUE(near(times(fused, 2), run(contextual("3x3", false, "sum"), inputs).output, exact));
}

// The convolution reads what it meets row by row, as a sum over the places of the window.
TEST_F(Windows, HaveAStaticContextOfTheKeysAroundThem) {
    inputs.parameters["W_context"] = random_tensor({9 * channels, channels}, random);
    const Trace trace = record(planned(contextual("3x3", false, "sum"), inputs));
    const auto context = stage(trace, "static_context");
    const Index middle = columns + 2;
    for (Index channel = 0; channel < channels; ++channel) {
        double sum = 0;
        for (Index tap = 0; tap < 9; ++tap)
            for (Index from = 0; from < channels; ++from)
                sum += inputs.query(middle + (tap / 3 - 1) * columns + tap % 3 - 1, from) *
                       inputs.parameters["W_context"](tap * channels + from, channel);
        EXPECT_NEAR(context[static_cast<std::size_t>(middle * channels + channel)], sum, exact);
    }
}

TEST_F(Windows, OfTwoSequencesAndMasksAreRefused) {
    Inputs both = inputs;
    both.key = both.value = inputs.query;
    for (const char* algorithm : {"contextual", "shuffle", "attention_gate"}) {
        EXPECT_THROW(
            planned(spec(Json{{"source", {{"type", "cross"}}}, {"algorithm", {{"type", algorithm}}}}.dump()),
                    both),
            Error)
            << algorithm;
        EXPECT_THROW(
            planned(spec(Json{{"mask", {{"type", "causal"}}}, {"algorithm", {{"type", algorithm}}}}.dump()),
                    inputs),
            Error)
            << algorithm;
    }
}

struct Shuffle : testing::Test {
    RandomEngine random{102};

    static AttentionSpec of(Index groups, bool is_shuffled) {
        return image({{"type", "shuffle"}, {"groups", groups}, {"shuffle", is_shuffled}});
    }
};

TEST_F(Shuffle, DealsOutTheHalvesInTurn) {
    for (const Index width : {1, 2, 5, 6, 7, 8}) {
        const Inputs inputs{.query = random_tensor({places, width}, random)};
        const auto plain = run(of(2, false), inputs), shuffled = run(of(2, true), inputs);
        EXPECT_EQ(plain.weights, shuffled.weights);
        for (Index place = 0; place < places; ++place)
            for (Index channel = 0; channel < width; ++channel) {
                const Index from = channel / 2 + (channel % 2 == 0 ? 0 : (width + 1) / 2);
                EXPECT_EQ(shuffled.output[static_cast<std::size_t>(place * width + channel)],
                          plain.output[static_cast<std::size_t>(place * width + from)]);
            }
    }
}

// Eight channels in two groups: 0, 1, 4 and 5 have gates of channels.
TEST_F(Shuffle, HalfOfAGroupHasOneGateForAllPlaces) {
    Inputs inputs{.query = random_tensor({places, 8}, random)};
    const auto gates = [&] { return stage(record(planned(of(2, true), inputs)), "feature_gates"); };
    inputs.parameters = planned(of(2, true), inputs)->inputs.parameters;
    const auto before = gates();
    for (std::size_t place = 1; place < places; ++place)
        for (std::size_t channel = 0; channel < 8; ++channel)
            EXPECT_EQ(before[place * 8 + channel] == before[channel], channel % 4 < 2);
    // What stands out does not depend on what all places share.
    for (double& number : inputs.query.values())
        number += 3;
    const auto after = gates();
    for (std::size_t place = 0; place < places; ++place)
        for (std::size_t channel = 0; channel < 8; ++channel)
            EXPECT_EQ(std::abs(after[place * 8 + channel] - before[place * 8 + channel]) < 1e-10,
                      channel % 4 >= 2);
}

TEST_F(Shuffle, GroupsShareTheirNumbers) {
    const Tensor group = random_tensor({places, 4}, random);
    const auto gates =
        stage(record(planned(of(2, true), Inputs{.query = side_by_side(group, group)})), "feature_gates");
    for (std::size_t place = 0; place < places; ++place)
        for (std::size_t channel = 0; channel < 4; ++channel)
            EXPECT_EQ(gates[place * 8 + channel], gates[place * 8 + 4 + channel]);
}

TEST_F(Shuffle, PlacesThatAreAlikeAreOpenByTheShiftAlone) {
    Inputs inputs{.query = Tensor({places, 4}, 0.7)};
    for (const char* name : {"w_group_channel", "b_group_channel", "b_group_place"})
        inputs.parameters[name] = Tensor({2});
    inputs.parameters["w_group_place"] = Tensor({2}, 5.0);
    EXPECT_TRUE(near(run(of(1, false), inputs).output, std::vector<double>(places * 4, 0.35), 1e-9));
}

struct Gate : testing::Test {
    RandomEngine random{103};
    Inputs inputs{.query = random_tensor({places, channels}, random)};

    static AttentionSpec of(Index ratio) {
        return image({{"type", "attention_gate"}, {"columns", columns}, {"ratio", ratio}});
    }
    std::vector<double> gates(Index ratio) const {
        return stage(record(planned(of(ratio), inputs)), "spatial_gate");
    }
};

TEST_F(Gate, BySignalsAloneIsOneForEachPatch) {
    inputs.parameters["W_gated"] = Tensor({channels, channels / 2});
    inputs.parameters["b_signal"] = Tensor({channels / 2}, 5.0);  // relu leaves all as they are
    const auto patched = gates(2), whole = gates(4);
    for (std::size_t place = 0; place < places; ++place) {
        const std::size_t row = place / columns / 2 * 2, column = place % columns / 2 * 2;
        EXPECT_NEAR(patched[place], patched[row * columns + column], exact);
        EXPECT_NEAR(whole[place], whole[0], exact) << "one patch";
    }
    EXPECT_GT(std::abs(patched[0] - patched[2]), 1e-6);
}

// An image that is the means of the patches is the signal that one image has.
TEST_F(Gate, BySignalsOfAnotherSourceIsThatOfTheirPlace) {
    AttentionSpec crossed = of(2);
    crossed.source.type = SourceType::cross;
    inputs.parameters = planned(of(2), inputs)->inputs.parameters;
    const auto signal = stage(record(planned(of(2), inputs)), "gating_signal");
    const Numbers alone = run(of(2), inputs);
    Inputs both = inputs;
    const Index across = (columns + 1) / 2, down = ((places - 1) / columns + 2) / 2;
    both.key = both.value = Tensor({down * across, channels});
    for (Index place = 0; place < places; ++place)
        for (Index channel = 0; channel < channels; ++channel)
            (*both.key)(place / columns / 2 * across + place % columns / 2, channel) =
                signal[static_cast<std::size_t>(place * channels + channel)];
    const Numbers given = run(crossed, both);
    EXPECT_TRUE(near(given.output, alone.output, exact));
    for (Index place = 0; place < places; ++place) {
        const Index coarse = place / columns / 2 * across + place % columns / 2;
        EXPECT_NEAR(given.weights[static_cast<std::size_t>(place * down * across + coarse)],
                    alone.weights[static_cast<std::size_t>(place * places + place)], exact);
    }
    both.key = both.value = Tensor({down * across + 1, channels});
    EXPECT_THROW(planned(crossed, both), Error);
}

// The last of three rows is a patch of its own with two places.
TEST_F(Gate, HasTheMeanOfThePlacesThatAPatchHas) {
    const auto signal = stage(record(planned(of(2), inputs)), "gating_signal");
    for (Index channel = 0; channel < channels; ++channel) {
        EXPECT_NEAR(signal[static_cast<std::size_t>(channel)],
                    (inputs.query(0, channel) + inputs.query(1, channel) + inputs.query(4, channel) +
                     inputs.query(5, channel)) /
                        4,
                    exact);
        EXPECT_NEAR(signal[static_cast<std::size_t>(11 * channels + channel)],
                    (inputs.query(10, channel) + inputs.query(11, channel)) / 2, exact);
    }
}

TEST_F(Gate, OfThePlaceItselfAddsBothMatrices) {
    const Tensor gated = random_tensor({channels, channels / 2}, random),
                 signal = random_tensor({channels, channels / 2}, random);
    inputs.parameters = planned(of(1), inputs)->inputs.parameters;
    inputs.parameters["W_gated"] = gated;
    inputs.parameters["W_signal"] = signal;
    const Numbers both = run(of(1), inputs);
    for (std::size_t i = 0; i < gated.values().size(); ++i)
        inputs.parameters["W_gated"].values()[i] += signal.values()[i];
    inputs.parameters["W_signal"] = Tensor({channels, channels / 2});
    EXPECT_TRUE(near(run(of(1), inputs), both, exact));
}

struct Tropical : testing::Test {
    RandomEngine random{104};
    Inputs inputs{.query = random_tensor({4, channels}, random),
                  .key = random_tensor({7, channels}, random),
                  .value = random_tensor({7, 5}, random)};
    const AttentionSpec of_two = spec(R"({"source": {"type": "cross"}, "algorithm": {"type": "tropical"}})");

    /// The same number added to all features of each row.
    static Tensor moved(Tensor vectors) {
        for (Index row = 0; row < vectors.rows(); ++row)
            for (double& number : vectors.row(row))
                number += 2.5 * static_cast<double>(row) - 3;
        return vectors;
    }
};

TEST_F(Tropical, DoesNotSeeWhatAllFeaturesShare) {
    const Numbers before = run(of_two, inputs);
    inputs.query = moved(inputs.query);
    inputs.key = moved(*inputs.key);
    EXPECT_TRUE(near(run(of_two, inputs), before, exact));
}

TEST_F(Tropical, GivesEachFeatureToOneKey) {
    const auto weights = run(of_two, inputs).weights;
    for (std::size_t query = 0; query < 4; ++query) {
        double sum = 0;
        for (std::size_t key = 0; key < 7; ++key) {
            const double features = 5 * weights[query * 7 + key];
            EXPECT_NEAR(features, std::round(features), exact);
            sum += weights[query * 7 + key];
        }
        EXPECT_NEAR(sum, 1, exact);
    }
}

TEST_F(Tropical, OfEqualValuesTakesTheNearestKey) {
    inputs.value = Tensor({7, 5}, 0.25);
    const Numbers numbers = run(of_two, inputs);
    const auto scores = stage(record(planned(of_two, inputs)), "scores");
    for (std::size_t query = 0; query < 4; ++query) {
        const std::span<const double> row = std::span(scores).subspan(query * 7, 7);
        const auto nearest = static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
        for (std::size_t key = 0; key < 7; ++key)
            EXPECT_EQ(numbers.weights[query * 7 + key], key == nearest ? 1 : 0);
        for (std::size_t feature = 0; feature < 5; ++feature)
            EXPECT_NEAR(numbers.output[query * 5 + feature], row[nearest] + 0.25, exact);
    }
}

TEST_F(Tropical, GrowsWithItsVectors) {
    const Numbers before = run(of_two, inputs);
    for (const double factor : {1e-3, 8.0, 1e100}) {
        const Numbers after = run(of_two, Inputs{.query = times(inputs.query, factor),
                                                 .key = times(*inputs.key, factor),
                                                 .value = times(*inputs.value, factor)});
        EXPECT_TRUE(near(after.weights, before.weights, exact));
        EXPECT_TRUE(near(times(after.output, 1 / factor), before.output, exact));
    }
}

// Another token offers more only where it is larger in all features.
TEST_F(Tropical, WithoutProjectionsATokenFindsItself) {
    constexpr Index width = 24;  // so many that no token is larger in all by chance
    Inputs alone{.query = random_tensor({7, width}, random)};
    const Numbers numbers = run(image({{"type", "tropical"}}), alone);
    EXPECT_TRUE(near(numbers.output, alone.query.values(), exact));
    EXPECT_TRUE(near(numbers.weights, identity(7).values(), exact));
    for (Index feature = 0; feature < width; ++feature)
        alone.query(3, feature) = alone.query(5, feature) + 2 + 0.1 * static_cast<double>(feature);
    EXPECT_GT(run(image({{"type", "tropical"}}), alone).weights[5 * 7 + 3], 0);
}

TEST_F(Tropical, SeesWhatTheMaskLeaves) {
    std::vector<std::vector<bool>> allowed(7, std::vector<bool>(7, true));
    allowed[2] = std::vector<bool>(7);
    allowed[4] = {false, true, false, false, false, false, false};
    const Json masked{{"algorithm", {{"type", "tropical"}}},
                      {"mask", {{"type", "matrix"}, {"allowed", allowed}}}};
    const Numbers numbers = run(spec(masked.dump()), Inputs{.query = *inputs.key});
    for (std::size_t key = 0; key < 7; ++key) {
        EXPECT_EQ(numbers.weights[2 * 7 + key], 0);
        EXPECT_NEAR(numbers.weights[4 * 7 + key], key == 1 ? 1 : 0, exact);
    }
    for (std::size_t feature = 0; feature < channels; ++feature)
        EXPECT_EQ(numbers.output[2 * channels + feature], 0);
}

TEST_F(Tropical, RefusesMorePairsThanItCanKeep) {
    EXPECT_THROW(planned(image({{"type", "tropical"}}), Inputs{.query = Tensor({300, 64})}), Error);
    EXPECT_NO_THROW(planned(image({{"type", "tropical"}}), Inputs{.query = Tensor({300, 32})}));
}

struct RoundedCache : testing::Test {
    RandomEngine random{105};
    Inputs inputs{.query = random_tensor({9, channels}, random)};

    static AttentionSpec of(Json options, const Json& rest = Json::object()) {
        options["type"] = "quantized_cache";
        Json whole = rest;
        whole["algorithm"] = options;
        return spec(whole.dump());
    }
    std::vector<double> numbers(const char* name, const Json& options) const {
        return stage(record(planned(of(options), inputs)), name);
    }
    double largest_error(const Json& options) const {
        double largest = 0;
        for (const double error : numbers("weight_errors", options))
            largest = std::max(largest, std::abs(error));
        return largest;
    }
};

TEST_F(RoundedCache, OfManyBitsIsTheCache) {
    for (const char* keys : {"channel", "token"}) {
        EXPECT_LT(largest_error({{"bits", 16}, {"keys", keys}}), 1e-3);
        EXPECT_TRUE(near(run(of({{"bits", 16}, {"keys", keys}}), inputs), run(spec("{}"), inputs), 1e-3));
        EXPECT_GT(largest_error({{"bits", 1}, {"keys", keys}}), 1e-2);
    }
    EXPECT_TRUE(near(numbers("exact_weights", {{"bits", 1}}), run(spec("{}"), inputs).weights, exact));
}

TEST_F(RoundedCache, HasFewNumbersForEachChannelOfKeysAndTokenOfValues) {
    for (const Index bits : {1, 2, 3}) {
        const auto keys = numbers("rounded_key", {{"bits", bits}, {"group", 5}}),
                   values = numbers("rounded_value", {{"bits", bits}});
        const auto most = static_cast<std::size_t>(1) << bits;
        const auto count = [](const std::vector<double>& numbers, const auto& places_of) {
            std::set<long> different;
            for (const std::size_t place : places_of)
                different.insert(std::lround(numbers[place] * 1e9));
            return different.size();
        };
        for (std::size_t channel = 0; channel < channels; ++channel)
            for (const auto& [first, last] : {std::pair<std::size_t, std::size_t>{0, 5}, {5, 9}}) {
                std::vector<std::size_t> group;
                for (std::size_t token = first; token < last; ++token)
                    group.push_back(token * channels + channel);
                EXPECT_LE(count(keys, group), most);
            }
        for (std::size_t token = 0; token < 9; ++token) {
            std::vector<std::size_t> row(channels);
            std::iota(row.begin(), row.end(), token * channels);
            EXPECT_LE(count(values, row), most);
            const auto [least, largest] = std::ranges::minmax(inputs.query.row(static_cast<Index>(token)));
            for (const std::size_t place : row)
                EXPECT_LE(std::abs(values[place] - inputs.query.values()[place]),
                          (largest - least) / static_cast<double>(most - 1) / 2 + exact);
        }
    }
}

TEST_F(RoundedCache, OfOneTokenInAGroupHasExactKeys) {
    EXPECT_LT(largest_error({{"bits", 1}, {"group", 1}}), exact);
}

// One channel is large in all tokens, and no query asks for it.
TEST_F(RoundedCache, RoundsAnUnusualChannelByItself) {
    inputs.key = random_tensor({9, channels}, random);
    inputs.value = random_tensor({9, channels}, random);
    for (Index token = 0; token < 9; ++token) {
        inputs.query(token, 0) = 0;
        (*inputs.key)(token, 0) = 1000 + static_cast<double>(token);
    }
    const auto error = [&](const char* keys) {
        const Json cross{{"source", {{"type", "cross"}}}};
        double largest = 0;
        for (const double each :
             stage(record(planned(of({{"bits", 4}, {"keys", keys}}, cross), inputs)), "weight_errors"))
            largest = std::max(largest, std::abs(each));
        return largest;
    };
    EXPECT_LT(2 * error("channel"), error("token"));
}

TEST_F(RoundedCache, LeavesPaddingOut) {
    const Json padding{{"mask", {{"type", "padding"}, {"key_lengths", 6}}}};
    Inputs other = inputs;
    for (Index token = 6; token < 9; ++token)
        for (double& number : other.query.row(token))
            number = 100;
    const auto before = run(of({{"bits", 2}}, padding), inputs).output,
               after = run(of({{"bits", 2}}, padding), other).output;
    EXPECT_TRUE(near(std::span(after).first(6 * channels), std::span(before).first(6 * channels), exact));
    EXPECT_THROW(planned(of({{"bits", 2}}, {{"mask", {{"type", "causal"}}}}), inputs), Error);
}

}  // namespace

}  // namespace headlight::invariants_windows_test
