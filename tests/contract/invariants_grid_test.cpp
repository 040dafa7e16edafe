// Invariants of positions on a grid, of biases of offsets, and of polar positions.

#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"

#include <cmath>
#include <map>
#include <numbers>

namespace headlight::invariants_grid_test {

using namespace test;

namespace {

constexpr double exact = 1e-10;

AttentionSpec with_position(const Json& position, const Json& rest = Json::object()) {
    Json all = rest;
    all["position"] = position;
    return spec(all.dump());
}

struct GridPositions : testing::Test {
    RandomEngine random{79};
    Inputs inputs{.query = random_tensor({12, 8}, random)};
    Inputs alike{.query = rows_of(inputs.query, std::vector<Index>(12, 2))};

    std::vector<double> stage_of(const Json& position, const std::string& name, const Inputs& of,
                                 const Json& rest = Json::object()) const {
        return stage(record(planned(with_position(position, rest), of)), name);
    }
};

/// Whether all pairs of 12 tokens with one offset have one number, on a grid of so many columns.
testing::AssertionResult is_of_offsets(const std::vector<double>& map, Index columns) {
    std::map<std::pair<Index, Index>, double> first;
    for (Index i = 0; i < 12; ++i)
        for (Index j = 0; j < 12; ++j) {
            const std::pair offset{i / columns - j / columns, i % columns - j % columns};
            const double number = map[static_cast<std::size_t>(i * 12 + j)];
            const double known = first.try_emplace(offset, number).first->second;
            if (std::abs(known - number) > exact)
                return testing::AssertionFailure() << i << ", " << j << ": " << number << " and " << known;
        }
    return testing::AssertionSuccess();
}

const Json text_alone{{"type", "grid_rope"}, {"text", 12}, {"speeds", "shared"}};

// With equal coordinates M-RoPE is RoPE, however the pairs are shared out.
TEST_F(GridPositions, OfTextAreRotaryPositions) {
    for (const char* layout : {"half", "interleaved"})
        for (const std::vector<int>& sections : {std::vector{1, 1}, {16, 24, 24}, {0, 3, 1}}) {
            Json position = text_alone;
            position["layout"] = layout;
            position["sections"] = sections;
            EXPECT_TRUE(near(run(with_position(position), inputs).weights,
                             run(with_position({{"type", "rope"}, {"layout", layout}}), inputs).weights,
                             exact));
        }
}

TEST_F(GridPositions, RotaryScoresDependOnBothOffsets) {
    for (const Index columns : {3, 4, 12}) {
        const Json position{{"type", "grid_rope"}, {"columns", columns}};
        const auto of_equal_tokens = stage_of(position, "scores", alike);
        EXPECT_TRUE(is_of_offsets(of_equal_tokens, columns)) << columns;
        EXPECT_EQ(bool(is_of_offsets(of_equal_tokens, 12)), columns == 12) << "not on i − j alone";
        // A text before it moves every coordinate of the grid by as much.
        const auto scores = stage_of(position, "scores", inputs);
        Inputs behind = inputs;
        behind.query = stacked(random_tensor({2, 8}, random), inputs.query);
        Json moved = position;
        moved["text"] = 2;
        const auto all = stage_of(moved, "scores", behind);
        for (std::size_t i = 0; i < 12; ++i)
            for (std::size_t j = 0; j < 12; ++j)
                EXPECT_NEAR(all[(i + 2) * 14 + j + 2], scores[i * 12 + j], exact);
    }
}

TEST_F(GridPositions, RotationsKeepLengths) {
    const Json position{
        {"type", "grid_rope"}, {"columns", 2}, {"rows", 2}, {"text", 3}, {"sections", {1, 2, 1}}};
    const auto before = stage_of(position, "query", inputs),
               after = stage_of(position, "rotated_query", inputs);
    for (std::size_t row = 0; row < 12; ++row) {
        double change = 0;
        for (std::size_t c = row * 8; c < (row + 1) * 8; ++c)
            change += after[c] * after[c] - before[c] * before[c];
        EXPECT_NEAR(change, 0, exact) << row;
    }
}

// Pair 0 belongs to the frame, pairs 1 and 2 to the row, pair 3 to the column.
TEST_F(GridPositions, FramesBeginAgain) {
    const Json position{{"type", "grid_rope"}, {"columns", 2},          {"rows", 2},
                        {"text", 1},           {"sections", {1, 2, 1}}, {"speeds", "own"}};
    const auto angles = stage_of(position, "query_angles", inputs);
    const auto of = [&](Index token, Index pair) {
        return angles[static_cast<std::size_t>(token * 8 + pair)];
    };
    for (const Index pair : {0, 1, 3})  // the fastest of each section
        EXPECT_EQ(of(0, pair), 0);
    for (Index cell = 0; cell < 11; ++cell) {
        EXPECT_EQ(of(1 + cell, 0), 1 + cell / 4);
        EXPECT_EQ(of(1 + cell, 1), 1 + cell / 2 % 2);
        EXPECT_EQ(of(1 + cell, 3), 1 + cell % 2);
    }
}

// Two frames of four cells and three keys that have no place: what is turned, and what is left as it is.
TEST_F(GridPositions, KeysOfEarlierFramesHavePlacesAndThoseBehindThemNone) {
    const Json position{{"type", "grid_rope"}, {"columns", 2}, {"rows", 2}, {"unplaced", 3}};
    const Json cross{{"source", {{"type", "cross"}}}};
    Inputs two{.query = random_tensor({4, 8}, random), .key = random_tensor({11, 8}, random)};
    for (Index cell = 0; cell < 4; ++cell)
        std::ranges::copy(two.key->row(cell), two.key->row(cell + 4).begin());
    const auto key = stage_of(position, "key", two, cross),
               turned = stage_of(position, "rotated_key", two, cross),
               scores = stage_of(position, "scores", two, cross);
    for (std::size_t query = 0; query < 4; ++query)
        for (std::size_t cell = 0; cell < 4; ++cell)
            EXPECT_NEAR(scores[query * 11 + cell], scores[query * 11 + cell + 4], exact);
    for (std::size_t number = 0; number < key.size(); ++number) {
        if (number >= 8 * 8) {
            EXPECT_EQ(turned[number], key[number]) << number;
        }
    }
    EXPECT_NE(turned[8 + 2], key[8 + 2]) << "the third pair turns with the column";
    EXPECT_THROW(planned(with_position(position), inputs), Error) << "of one sequence all have their places";
}

TEST_F(GridPositions, SectionsMustFit) {
    for (const std::vector<int>& sections : {std::vector{1}, {0, 0}, {1, 1, 1, 1}})
        EXPECT_THROW(planned(with_position({{"type", "grid_rope"}, {"sections", sections}}), inputs), Error);
}

const Json windows{{"mask", {{"type", "grid_window"}, {"columns", 4}, {"size", 2}}}};

TEST_F(GridPositions, ATableOfZerosIsSwin) {
    Inputs with = inputs;
    with.parameters["grid_table"] = Tensor({9, 1});
    const Json position{{"type", "grid_bias"}, {"columns", 4}, {"window", 2}};
    EXPECT_TRUE(near(run(with_position(position, windows), with).weights,
                     run(spec(windows.dump()), inputs).weights, exact));
    EXPECT_FALSE(near(run(with_position(position, windows), inputs).weights,
                      run(spec(windows.dump()), inputs).weights, 1e-3));
}

// Window after window of the same tokens has the same weights.
TEST_F(GridPositions, WindowsOfSwinAreAlike) {
    Inputs twice;
    twice.query = rows_of(inputs.query, {0, 1, 0, 1, 2, 3, 2, 3});
    for (const char* form : {"table", "continuous", "released"}) {
        const auto weights =
            run(with_position({{"type", "grid_bias"}, {"columns", 4}, {"window", 2}, {"form", form}},
                              windows),
                twice)
                .weights;
        for (const Index i : {0, 1, 4, 5})
            for (const Index j : {0, 1, 4, 5})
                EXPECT_NEAR(weights[static_cast<std::size_t>(i * 8 + j)],
                            weights[static_cast<std::size_t>((i + 2) * 8 + j + 2)], exact);
    }
}

TEST_F(GridPositions, BiasesAreOfOffsetsAlone) {
    for (const Index columns : {1, 3, 5, 100})
        for (const char* form : {"table", "continuous", "released"}) {
            const Json position{{"type", "grid_bias"}, {"columns", columns}, {"form", form}};
            EXPECT_TRUE(is_of_offsets(stage_of(position, "position_bias", inputs), columns)) << form;
        }
    for (const Index columns : {1, 3, 5}) {
        const Json position{{"type", "dynamic_bias"}, {"columns", columns}, {"norm", true}, {"depth", 3}};
        EXPECT_TRUE(is_of_offsets(stage_of(position, "position_bias", inputs), columns));
    }
    for (const bool logarithm : {false, true})
        EXPECT_TRUE(is_of_offsets(
            stage_of({{"type", "dynamic_bias"}, {"logarithm", logarithm}}, "position_bias", inputs), 12))
            << "on a line";
}

TEST_F(GridPositions, TheTableIsReadRowByRow) {
    Inputs with = inputs;
    with.parameters["grid_table"] = Tensor({9, 1});
    for (Index place = 0; place < 9; ++place)
        with.parameters["grid_table"](place, 0) = static_cast<double>(place);
    const auto bias = stage_of({{"type", "grid_bias"}, {"columns", 4}, {"window", 2}}, "position_bias", with);
    const auto of = [&](Index i, Index j) { return bias[static_cast<std::size_t>(i * 12 + j)]; };
    EXPECT_EQ(of(5, 5), 4);
    EXPECT_EQ(of(5, 4), 5) << "one column to the right of the key";
    EXPECT_EQ(of(5, 1), 7) << "one row below the key";
    EXPECT_EQ(of(0, 5), 0);
    EXPECT_EQ(of(11, 0), 8) << "farther offsets share the outermost";
}

// One hidden unit that lets its input through: the bias is the coordinate itself.
TEST_F(GridPositions, ContinuousBiasesSeeLogarithms) {
    Inputs with = inputs;
    with.parameters["W_grid_1"] = Tensor({2, 1}, {0, 1});
    with.parameters["b_grid_1"] = Tensor({1});
    with.parameters["W_grid_2"] = Tensor({1, 1}, 1.0);
    const auto of_form = [&](const char* form) {
        return stage_of({{"type", "grid_bias"}, {"columns", 4}, {"hidden", 1}, {"window", 4}, {"form", form}},
                        "position_bias", with);
    };
    const auto continuous = of_form("continuous"), released = of_form("released");
    for (std::size_t x = 0; x < 4; ++x) {
        EXPECT_NEAR(continuous[x * 12], std::log(1 + double(x)), exact);
        EXPECT_EQ(continuous[x], 0) << "below 0 the unit is off";
        EXPECT_NEAR(released[x * 12], 16 / (1 + std::exp(-std::log2(1 + 8 * double(x) / 3) / 3)), exact);
    }
}

const Json pope{{"type", "pope"}};

TEST_F(GridPositions, PolarScoresAreSumsOfCosines) {
    Inputs with = inputs;
    with.parameters["delta_pope"] = random_tensor({1, 8}, random);
    const auto scores = stage_of(pope, "scores", with);
    const auto softplus = [](double x) { return std::log1p(std::exp(x)); };
    for (Index i = 0; i < 12; ++i)
        for (Index j = 0; j < 12; ++j) {
            double sum = 0;
            for (Index c = 0; c < 8; ++c) {
                const double delta =
                    std::clamp(with.parameters["delta_pope"](0, c), -2 * std::numbers::pi, 0.0);
                sum += softplus(inputs.query(i, c)) * softplus(inputs.query(j, c)) *
                       std::cos(double(i - j) * std::pow(10000.0, -double(c) / 8) - delta);
            }
            EXPECT_NEAR(scores[static_cast<std::size_t>(i * 12 + j)], sum, exact);
        }
}

TEST_F(GridPositions, PolarScoresOfEqualTokensAreLargestAtTheirOwnPlace) {
    const auto scores = stage_of(pope, "scores", alike);
    EXPECT_TRUE(is_of_offsets(scores, 12));
    for (std::size_t i = 0; i < 12; ++i)
        for (std::size_t j = 0; j < 12; ++j)
            EXPECT_LE(scores[i * 12 + j], scores[0] + exact);
}

TEST_F(GridPositions, PhasesAreHeldWithinATurn) {
    const auto with_phase = [&](double delta) {
        Inputs with = inputs;
        with.parameters["delta_pope"] = Tensor({1, 8}, delta);
        return run(with_position(pope), with).weights;
    };
    EXPECT_EQ(with_phase(3), with_phase(0));
    EXPECT_EQ(with_phase(-100), with_phase(-2 * std::numbers::pi));
    EXPECT_TRUE(near(with_phase(-100), with_phase(0), exact)) << "a whole turn";
    EXPECT_FALSE(near(with_phase(-1), with_phase(0), 1e-3));
}

TEST_F(GridPositions, PolarPositionsChangeProductsAlone) {
    for (const Json& rest : {Json{{"score", {{"type", "additive"}}}}, Json{{"score", {{"type", "cosine"}}}},
                             Json{{"algorithm", {{"type", "linear"}}}, {"mask", {{"type", "causal"}}}}})
        EXPECT_THROW(planned(with_position(pope, rest), inputs), Error) << rest.dump();
}

}  // namespace

}  // namespace headlight::invariants_grid_test
