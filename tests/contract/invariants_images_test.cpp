// What gates and attentions of images promise: on the grid that their tokens fill, with nothing learned yet,
// and where one of them becomes another.

#include "tests/support/image_runs.h"

#include <numeric>

namespace headlight::invariants_images_test {

using namespace test;
using namespace test::images;

namespace {

struct ImageGates : testing::Test {
    RandomEngine random{97};
    Inputs inputs{.query = random_tensor({places, channels}, random)};

    /// The same with all parameters that the spec has at 0.
    Inputs without_weights(const AttentionSpec& spec) const {
        Inputs given = inputs;
        const auto plan = planned(spec, inputs);
        for (const ParameterInfo& parameter : plan->parameters)
            given.parameters[parameter.name] = Tensor(parameter.shape);
        return given;
    }
    std::vector<double> image_times(double factor) const {
        std::vector<double> numbers;
        for (const double number : inputs.query.values())
            numbers.push_back(factor * number);
        return numbers;
    }
};

/// The places of the turned image, in which rows have become columns.
std::vector<Index> turned() {
    std::vector<Index> order;
    for (Index column = 0; column < columns; ++column)
        for (Index row = 0; row < rows; ++row)
            order.push_back(row * columns + column);
    return order;
}

/// Kernels of two planes with their rows as columns.
Tensor turned_kernels(const Tensor& kernels, Index side) {
    Tensor result({kernels.size()});
    for (Index i = 0; i < kernels.size(); ++i) {
        const Index plane = i / (side * side), down = i / side % side, right = i % side;
        result.values()[static_cast<std::size_t>((plane * side + right) * side + down)] =
            kernels.values()[static_cast<std::size_t>(i)];
    }
    return result;
}

testing::AssertionResult is_turned(const Numbers& upright, const Numbers& across) {
    const Tensor output({places, channels}, upright.output);
    return near(across.output, rows_of(output, turned()).values(), exact);
}

TEST_F(ImageGates, WithoutWeightsAreHalfOpen) {
    const std::vector<std::pair<Json, double>> factors{
        {{{"type", "coordinate"}, {"columns", columns}}, 0.25},
        {{{"type", "triplet"}, {"columns", columns}}, 0.5},
        {{{"type", "triplet"}, {"columns", columns}, {"spatial", false}}, 0.5},
        {{{"type", "bam"}, {"columns", columns}}, 1.5},
        {Json::object({{"type", "scse"}}), 1},
        {{{"type", "large_kernel"}, {"columns", columns}}, 0},
        {{{"type", "focal_modulation"}, {"columns", columns}}, 0},
        {{{"type", "scse"}, {"combined", "maximum"}}, 0.5},
        {{{"type", "scse"}, {"combined", "product"}}, 0.25},
        {{{"type", "group_enhance"}, {"groups", 3}}, 0.5},
        {{{"type", "shuffle"}, {"shuffle", false}}, 0.5},
        {{{"type", "attention_gate"}, {"columns", columns}}, 0.5},
        {Json::object({{"type", "polarized"}}), 1},
        {{{"type", "polarized"}, {"arrangement", "sequential"}}, 0.25}};
    for (const auto& [algorithm, factor] : factors) {
        const AttentionSpec gates = image(algorithm);
        EXPECT_TRUE(near(run(gates, without_weights(gates)).output, image_times(factor), exact))
            << algorithm.dump();
    }
}

TEST_F(ImageGates, OfCoordinatesAreATableOfRankOneForEachChannel) {
    const AttentionSpec gates = image({{"type", "coordinate"}, {"columns", columns}, {"reduction", 2}});
    const auto numbers = stage(record(planned(gates, inputs)), "feature_gates");
    const auto gate = [&](Index row, Index column, Index channel) {
        return numbers[static_cast<std::size_t>((row * columns + column) * channels + channel)];
    };
    for (Index channel = 0; channel < channels; ++channel)
        for (Index row = 0; row < rows; ++row)
            for (Index column = 0; column < columns; ++column)
                EXPECT_NEAR(gate(row, column, channel) * gate(0, 0, channel),
                            gate(row, 0, channel) * gate(0, column, channel), exact);
}

// A level that is gated away changes nothing; the last gate alone leaves one modulator for all places.
TEST_F(ImageGates, OfTheWholeImageAreTheSameEverywhere) {
    const AttentionSpec focal = image({{"type", "focal_modulation"}, {"columns", columns}, {"levels", 2}});
    inputs.parameters = planned(focal, inputs)->inputs.parameters;
    inputs.parameters["W_focal_gates"] = Tensor({channels, 3});
    const auto modulators = [&](Index open) {
        Tensor gates({3});
        gates[open] = 1;
        inputs.parameters["b_focal_gates"] = gates;
        return stage(record(planned(focal, inputs)), "modulator");
    };
    const auto of_image = modulators(2), of_first = modulators(0);
    double difference = 0;
    for (std::size_t at = 0; at < of_image.size(); ++at) {
        EXPECT_NEAR(of_image[at], of_image[at % static_cast<std::size_t>(channels)], exact);
        difference += std::abs(of_first[at] - of_first[at % static_cast<std::size_t>(channels)]);
    }
    EXPECT_GT(difference, 0.01);
    inputs.parameters["W_focal_kernel_2"] =
        random_tensor(inputs.parameters["W_focal_kernel_2"].shape(), random);
    EXPECT_TRUE(near(modulators(0), of_first, exact)) << "the second level is shut";
}

TEST_F(ImageGates, OfCoordinatesTurnWithTheImage) {
    inputs.parameters =
        planned(image({{"type", "coordinate"}, {"columns", columns}}), inputs)->inputs.parameters;
    Inputs across = inputs;
    across.query = rows_of(inputs.query, turned());
    std::swap(across.parameters["W_rows"], across.parameters["W_columns"]);
    EXPECT_TRUE(is_turned(run(image({{"type", "coordinate"}, {"columns", columns}}), inputs),
                          run(image({{"type", "coordinate"}, {"columns", rows}}), across)));
}

TEST_F(ImageGates, OfTripletsTurnWithTheImage) {
    const auto triplet = [](Index of) {
        return image({{"type", "triplet"}, {"columns", of}, {"kernel", "3x3"}});
    };
    inputs.parameters = planned(triplet(columns), inputs)->inputs.parameters;
    Inputs across = inputs;
    across.query = rows_of(inputs.query, turned());
    std::swap(across.parameters["w_row_channel"], across.parameters["w_column_channel"]);
    across.parameters["w_spatial"] = turned_kernels(inputs.parameters["w_spatial"], 3);
    EXPECT_TRUE(is_turned(run(triplet(columns), inputs), run(triplet(rows), across)));
}

// The branch of rows and columns alone is the spatial gate of a convolutional block without its channels.
TEST_F(ImageGates, OfTripletsHaveTheSpatialGateOfABlock) {
    const AttentionSpec triplet = image({{"type", "triplet"}, {"columns", columns}}),
                        block = image(
                            {{"type", "convolutional_block"}, {"columns", columns}, {"gates", "places"}});
    inputs.parameters = planned(triplet, inputs)->inputs.parameters;
    EXPECT_TRUE(near(stage(record(planned(triplet, inputs)), "spatial_gate"),
                     stage(record(planned(block, inputs)), "spatial_gate"), exact));
}

TEST_F(ImageGates, OfTheBottleneckSeeAsFarAsTheirDilation) {
    const auto scores_of = [&](Index dilation) {
        const AttentionSpec bam =
            image({{"type", "bam"}, {"columns", columns}, {"reduction", 2}, {"dilation", dilation}});
        Inputs given = without_weights(bam);
        for (const char* name : {"W_reduce", "W_dilated_1", "W_dilated_2", "w_place"})
            for (double& weight : given.parameters[name].values())
                weight = 0.3;
        given.query = Tensor({places, channels});
        given.query(0, 0) = 1;
        return stage(record(planned(bam, given)), "spatial_scores");
    };
    // Two kernels see two dilations far.
    const auto one = scores_of(1), four = scores_of(4);
    for (Index place = 0; place < places; ++place) {
        const bool is_near = place / columns <= 2 && place % columns <= 2;
        EXPECT_EQ(one[static_cast<std::size_t>(place)] > 0, is_near) << place;
        EXPECT_EQ(four[static_cast<std::size_t>(place)] > 0, place == 0) << place;
    }
}

TEST_F(ImageGates, OfGroupsCompareNormalisedLikeness) {
    const AttentionSpec gates = image({{"type", "group_enhance"}, {"groups", 4}});
    const Trace trace = record(planned(gates, inputs));
    const auto normalized = stage(trace, "normalized_similarities"), open = stage(trace, "feature_gates");
    for (std::size_t group = 0; group < 4; ++group) {
        double sum = 0, squares = 0;
        for (std::size_t place = 0; place < places; ++place) {
            sum += normalized[place * 4 + group];
            squares += normalized[place * 4 + group] * normalized[place * 4 + group];
        }
        EXPECT_NEAR(sum, 0, 1e-10);
        EXPECT_NEAR(squares / places, 1, 1e-2) << "less by what is added to the deviation";
    }
    // Six channels in four groups: 1, 2, 1, 2.
    for (std::size_t place = 0; place < places; ++place) {
        EXPECT_EQ(open[place * channels + 1], open[place * channels + 2]);
        EXPECT_NE(open[place * channels], open[place * channels + 1]);
        EXPECT_EQ(open[place * channels + 4], open[place * channels + 5]);
    }
}

TEST_F(ImageGates, OfGroupsOfEqualPlacesAreThatOfTheShift) {
    const AttentionSpec gates = image({{"type", "group_enhance"}, {"groups", 2}});
    inputs.query = Tensor({places, channels}, 0.7);
    inputs.parameters["gamma_group"] = Tensor({2}, 5.0);
    inputs.parameters["beta_group"] = Tensor({2}, 1.0);
    EXPECT_TRUE(near(run(gates, inputs).output, image_times(1 / (1 + std::exp(-1.0))), 1e-9));
}

TEST_F(ImageGates, OfPolarizedAttentionSumPlacesUpByShares) {
    const AttentionSpec parallel = image({{"type", "polarized"}}),
                        sequential = image({{"type", "polarized"}, {"arrangement", "sequential"}});
    inputs.parameters = planned(parallel, inputs)->inputs.parameters;
    const Trace side_by_side = record(planned(parallel, inputs)),
                one_by_one = record(planned(sequential, inputs));
    for (const char* shares : {"place_shares", "channel_shares"})
        for (const Trace* trace : {&side_by_side, &one_by_one}) {
            const auto numbers = stage(*trace, shares);
            EXPECT_NEAR(std::accumulate(numbers.begin(), numbers.end(), 0.0), 1, exact) << shares;
        }
    EXPECT_EQ(stage(side_by_side, "channel_gate"), stage(one_by_one, "channel_gate"));
    EXPECT_NE(stage(side_by_side, "spatial_gate"), stage(one_by_one, "spatial_gate"));
}

TEST_F(ImageGates, KernelsThatSeeOnePlaceGiveIt) {
    Json options{{"type", "selective_kernel"}, {"columns", columns}, {"branches", 3}, {"activated", false}};
    inputs.parameters["W_kernels"] = Tensor({27, channels});
    for (const Index middle : {4, 13, 22})
        for (Index channel = 0; channel < channels; ++channel)
            inputs.parameters["W_kernels"](middle, channel) = 1;
    const Numbers numbers = run(image(options), inputs);
    EXPECT_TRUE(near(numbers.output, inputs.query.values(), exact));
    EXPECT_TRUE(near(numbers.weights, identity(places).values(), exact));
    options["activated"] = true;
    auto positive = image_times(1);
    for (double& number : positive)
        number = std::max(number, 0.0);
    EXPECT_TRUE(near(run(image(options), inputs).output, positive, exact));
}

TEST_F(ImageGates, KernelsWithoutAChoiceAreAveraged) {
    const auto kernels = [](Index branches) {
        return image({{"type", "selective_kernel"}, {"columns", columns}, {"branches", branches}});
    };
    const Tensor near_kernels = random_tensor({9, channels}, random),
                 far = random_tensor({9, channels}, random);
    inputs.parameters["W_select"] = Tensor({1, 2 * channels});
    inputs.parameters["W_kernels"] = stacked(near_kernels, far);
    const Numbers both = run(kernels(2), inputs);
    const auto halves = stage(record(planned(kernels(2), inputs)), "kernel_shares");
    EXPECT_TRUE(near(halves, std::vector<double>(2 * channels, 0.5), exact));
    inputs.parameters["W_select"] = Tensor({1, channels});
    inputs.parameters["W_kernels"] = near_kernels;
    const Numbers first = run(kernels(1), inputs);
    inputs.parameters["W_select"] = Tensor({1, 2 * channels});
    inputs.parameters["W_kernels"] = stacked(Tensor({9, channels}), far);
    const Numbers half_of_far = run(kernels(2), inputs);
    for (std::size_t i = 0; i < both.output.size(); ++i)
        EXPECT_NEAR(both.output[i], first.output[i] / 2 + half_of_far.output[i], exact);
}

struct Outlook : testing::Test {
    RandomEngine random{98};
    Inputs inputs{.query = random_tensor({25, 4}, random)};

    static AttentionSpec of(const std::string& kernel, Index columns_of_grid = 5) {
        return image({{"type", "outlook"}, {"columns", columns_of_grid}, {"kernel", kernel}});
    }
};

TEST_F(Outlook, ThroughOnePlaceGivesTheValues) {
    const Numbers numbers = run(of("1x1"), inputs);
    EXPECT_TRUE(near(numbers.output, inputs.query.values(), exact));
    EXPECT_TRUE(near(numbers.weights, identity(25).values(), exact));
}

TEST_F(Outlook, WithoutWeightsIsAMeanOverEachWindowAddedUp) {
    inputs.parameters["W_outlook"] = Tensor({4, 81});
    const auto weights = run(of("3x3"), inputs).weights;
    for (Index query = 0; query < 25; ++query)
        for (Index key = 0; key < 25; ++key) {
            Index windows = 0;
            for (Index centre = 0; centre < 25; ++centre) {
                const auto is_in = [&](Index place) {
                    return std::abs(place / 5 - centre / 5) <= 1 && std::abs(place % 5 - centre % 5) <= 1;
                };
                windows += is_in(query) && is_in(key) ? 1 : 0;
            }
            EXPECT_NEAR(weights[static_cast<std::size_t>(query * 25 + key)], static_cast<double>(windows) / 9,
                        exact);
        }
}

TEST_F(Outlook, SumsToOneForEachWindowInsideTheImage) {
    const auto weights = run(of("3x3"), inputs).weights;
    const auto sum = [&](std::size_t query) {
        return std::accumulate(weights.begin() + static_cast<std::ptrdiff_t>(query * 25),
                               weights.begin() + static_cast<std::ptrdiff_t>((query + 1) * 25), 0.0);
    };
    EXPECT_NEAR(sum(12), 9, exact) << "all nine windows of the middle lie inside";
    EXPECT_LT(sum(0), 4) << "and those of a corner do not";
    EXPECT_EQ(weights[3], 0) << "three columns away";
}

struct SpatialReduction : testing::Test {
    RandomEngine random{99};
    Inputs inputs{.query = random_tensor({places, channels}, random)};

    void SetUp() override {
        inputs.parameters["W_patch_key"] = inputs.parameters["W_patch_value"] = identity(channels);
    }
    static AttentionSpec of(Json options) {
        options.update(Json{{"type", "spatial_reduction"}, {"columns", columns}});
        return image(options);
    }
};

TEST_F(SpatialReduction, ByOneIsPlainAttention) {
    EXPECT_TRUE(near(run(of({{"ratio", 1}}), inputs), run(spec("{}"), Inputs{.query = inputs.query}), exact));
}

// Rows of two and of one, for the grid has three; every patch is two columns wide.
TEST_F(SpatialReduction, ByMeansIsLinformerOnTheGrid) {
    Inputs pooled{.query = inputs.query};
    Tensor means({4, places});
    for (Index place = 0; place < places; ++place) {
        const Index patch = place / columns / 2 * 2 + place % columns / 2;
        means(patch, place) = patch < 2 ? 0.25 : 0.5;
    }
    pooled.parameters["E"] = pooled.parameters["F"] = means;
    EXPECT_TRUE(near(run(of({{"pooling", "mean"}, {"norm", false}}), inputs),
                     run(image({{"type", "linformer"}, {"rank", 4}}), pooled), exact));
}

TEST_F(SpatialReduction, ByALearnedMatrixOfMeansIsThatByMeans) {
    inputs.query = random_tensor({16, channels}, random);
    Inputs learned = inputs;
    learned.parameters["W_patch"] = Tensor({4 * channels, channels});
    for (Index row = 0; row < 4 * channels; ++row)
        learned.parameters["W_patch"](row, row % channels) = 0.25;
    EXPECT_TRUE(
        near(run(of({{"pooling", "learned"}}), learned), run(of({{"pooling", "mean"}}), inputs), exact));
}

// Nine places, four in a row: the last one is by itself in the second row of patches.
TEST_F(SpatialReduction, LeavesOutPatchesWithoutAPlace) {
    inputs.query = random_tensor({9, channels}, random);
    for (const char* pooling : {"learned", "mean"}) {
        const Trace trace = record(planned(of({{"pooling", pooling}}), inputs));
        EXPECT_EQ(stage(trace, "pooled_weights").size(), 9u * 3u);
        const auto weights = stage(trace, "weights");
        for (std::size_t query = 0; query < 9; ++query) {
            const std::span<const double> row = std::span(weights).subspan(query * 9, 9);
            EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, exact);
        }
    }
}

TEST_F(SpatialReduction, ToOnePatchGivesEveryPlaceTheSame) {
    const Numbers numbers = run(of({{"ratio", 4}}), inputs);
    for (std::size_t i = channels; i < numbers.output.size(); ++i)
        EXPECT_NEAR(numbers.output[i], numbers.output[i - channels], exact);
    for (const double weight : numbers.weights)
        EXPECT_NEAR(weight, 1.0 / places, exact);
}

}  // namespace

}  // namespace headlight::invariants_images_test
